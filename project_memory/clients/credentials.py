"""Where the token of a server is kept: the system's keyring where one works, else a file.

The file is readable by its owner only. A token is in one of the two places, never in both.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from project_memory.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

KEYRING = "keyring"
"""What `keep` returns where the token is in a keyring, instead of a path."""

_SERVICE = "project-memory"


def keep(token: str, server: str, folder: Path) -> str:
    """Keep the token of a server instead of any older one; return the file, or `KEYRING`.

    Args:
        token: The token.
        server: Address of the server.
        folder: Where the file is, if the keyring does not take it.

    Raises:
        InvalidInput: the file cannot be written.
    """
    if _put(token, server):
        _file(server, folder).unlink(missing_ok=True)
        return KEYRING
    return str(write(token, server, folder))


def write(token: str, server: str, folder: Path) -> Path:
    """Keep the token of a server in a file, whatever keyring there is; return the file.

    Raises:
        InvalidInput: it cannot be written.
    """
    place = _file(server, folder)
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as opened:
            opened.write(token)
        draft.replace(place)
    except OSError as error:
        raise InvalidInput(
            f"the token cannot be kept in '{place}' ({str(error.strerror).lower()}); name a "
            "folder that you can write to with --to"
        ) from error
    return place


def read(server: str, folder: Path) -> str:
    """Return the token that is kept for a server.

    Raises:
        NotFound: there is none.
    """
    kept = _got(server) or _read(_file(server, folder))
    if kept is None:
        raise NotFound(
            f"no token for '{server}' is kept here; get a code from its administrator and run "
            f"`project-memory join --server {server} --code CODE`"
        )
    return kept


def place(server: str, folder: Path) -> str:
    """Return where `keep` would put a token, if the keyring takes it."""
    return KEYRING if _keyring() is not None else str(_file(server, folder))


def _file(server: str, folder: Path) -> Path:
    return folder / re.sub(r"[^A-Za-z0-9.-]", "_", urlsplit(server).netloc)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"the token in '{path}' cannot be read; check its permissions, or join the server "
            "again"
        ) from error


def _put(token: str, server: str) -> bool:
    """Return whether the keyring took a token; if not, it holds none of this server either."""
    found = _keyring()
    if found is None:
        return False
    from keyring.errors import KeyringError  # noqa: PLC0415

    try:
        found.set_password(_SERVICE, server, token)
    except KeyringError:
        with suppress(KeyringError):
            found.delete_password(_SERVICE, server)
        return False
    return True


def _got(server: str) -> str | None:
    found = _keyring()
    if found is None:
        return None
    from keyring.errors import KeyringError  # noqa: PLC0415

    try:
        return found.get_password(_SERVICE, server)
    except KeyringError:  # locked, or nobody there to unlock it
        return None


def _keyring() -> KeyringBackend | None:
    """Return the keyring of this session, or None where none works or the extra is missing."""
    if find_spec("keyring") is None:
        return None
    import keyring  # noqa: PLC0415  # optional, and slow to load

    found = keyring.get_keyring()
    # the stand-ins for a missing one have no positive priority
    return found if found.priority > 0 else None
