"""Where a store URL leads."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from project_memory.errors import InvalidInput
from project_memory.storage.server import Server

IN_MEMORY = "inmemory://"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_REMEDY = "use a path, `sqlite:///path`, `postgresql://host/database` or `inmemory://`"


def located(url: str | None) -> Path | Server | None:
    """Return the absolute path of a SQLite file, or the server; None for the in-memory store.

    None as URL is the file ``memory.db`` in the user's data directory.

    Raises:
        InvalidInput: it is blank, or of a scheme that is not known.
    """
    if url is None:
        return default_path()
    if not url.strip() or "\0" in url or url == ":memory:":
        raise InvalidInput(f"store {url!r} is no path; {_REMEDY}")
    scheme = _SCHEME.match(url)
    if scheme is None:
        return _absolute(url)
    # Only the scheme is repeated: the rest may hold a password.
    match scheme[1].lower():
        case "inmemory":
            return None
        case "sqlite":
            return _of_sqlite_url(url)
        case "memory":
            raise InvalidInput(f"'memory://' names resources, not a store; {_REMEDY}")
        case "postgres" | "postgresql":
            return Server(url)
        case _:
            raise InvalidInput(f"store scheme '{scheme[0]}' is not known; {_REMEDY}")


def is_local(url: str) -> bool:
    """Return whether a store is on this machine, by the URL that it tells of itself."""
    scheme = _SCHEME.match(url)
    return scheme is not None and scheme[1].lower() in {"inmemory", "sqlite"}


def called(url: str) -> str:
    """Return what a store may be called before strangers, by the URL that it tells of itself.

    It is the name of the file or database, and says nothing of the machine that it is on.
    """
    return unquote(urlsplit(url).path).rpartition("/")[2] or "memory"


def without_credentials(url: str) -> str:
    """Return a URL or path as it is, but that of a server without what may be secret.

    Raises:
        InvalidInput: it is blank, or of a scheme that is not known.
    """
    place = located(url)
    return place.shown if isinstance(place, Server) else url


def address(url: str | None) -> str:
    """Return the full URL of the store that a URL means, without credentials.

    Raises:
        InvalidInput: it is blank, or of a scheme that is not known.
    """
    match located(url):
        case None:
            return IN_MEMORY
        case Server() as server:
            return server.shown
        case path:
            return of_file(path)


def of_file(path: Path) -> str:
    """Return the URL of the store in a file of this absolute path."""
    return f"sqlite://{quote(path.as_posix())}"


def default_path() -> Path:
    """Return the store used when none is named."""
    import platformdirs  # noqa: PLC0415 - only this case needs it

    return Path(platformdirs.user_data_dir("project-memory", appauthor=False)) / "memory.db"


def backups() -> Path:
    """Return the folder for backups of stores that are no files."""
    return default_path().parent / "backups"


def _of_sqlite_url(url: str) -> Path:
    parts = urlsplit(url)
    path = unquote(parts.path)
    if parts.netloc or path in {"", "/"}:
        raise InvalidInput(f"store '{url}' names no file; write `sqlite:///path`, three slashes")
    if parts.query or parts.fragment:
        raise InvalidInput(f"store '{url}' has options, which a store does not take; remove them")
    if re.match(r"/[A-Za-z]:", path):
        path = path[1:]
    return _absolute(path)


def _absolute(path: str) -> Path:
    # normpath keeps two leading slashes, which the URL `sqlite:////path` leaves.
    joined = os.path.abspath(Path(path).expanduser())  # noqa: PTH100 - resolve() follows links
    return Path(re.sub(r"^//+", "/", joined)) if os.sep == "/" else Path(joined)
