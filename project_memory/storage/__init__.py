"""Store URL to back end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from project_memory.errors import InvalidInput
from project_memory.ports import Storage
from project_memory.storage.location import (
    IN_MEMORY,
    address,
    backups,
    called,
    is_local,
    located,
    without_credentials,
)
from project_memory.storage.server import Server
from project_memory.storage.sqlite import BUSY_TIMEOUT, SqliteStorage

if TYPE_CHECKING:  # only who copies a store needs it
    from pathlib import Path

    from project_memory.storage.copying import Copied, Tell
    from project_memory.storage.restoring import Allow, Restored

__all__ = [
    "IN_MEMORY",
    "address",
    "backups",
    "called",
    "copy_storage",
    "findings",
    "is_local",
    "open_storage",
    "restore_storage",
    "without_credentials",
]


def open_storage(url: str | None, *, create: bool, busy_timeout: float = BUSY_TIMEOUT) -> Storage:
    """Open the store of a URL, by default that of the user.

    Args:
        url: Where the store is: a path, ``sqlite:///path``, ``postgresql://host/database``,
            ``inmemory://``, or None: the default.
        create: Whether a missing store is made, empty, in a new file or in a database that is
            there; an in-memory store always is.
        busy_timeout: Seconds that a writer waits for another one.

    Raises:
        InvalidInput: the URL cannot be used.
        NotFound: there is no such store, and `create` is false; or no such database.
        StoreUnreadable: the file is no store, is damaged, or is out of reach; likewise a server.
        SchemaVersionMismatch: a newer version of this package wrote it.
        StorageError: it cannot be created or upgraded.
    """
    match located(url):
        case None:
            from project_memory.storage.memory import InMemoryStorage  # noqa: PLC0415  # seldom

            return InMemoryStorage(busy_timeout=busy_timeout)
        case Server() as server:
            with _driver():
                from project_memory.storage.postgres import PostgresStorage  # noqa: PLC0415

            return PostgresStorage(server, create=create, busy_timeout=busy_timeout)
        case path:
            return SqliteStorage(path, create=create, busy_timeout=busy_timeout)


def findings(url: str | None) -> list[str]:
    """Return what is wrong with the store of a URL, each with its remedy; none when it is sound.

    The store is read through, which takes a while for a large one, and not changed.

    Raises:
        InvalidInput: the URL cannot be used.
    """
    match located(url):
        case None:
            return []
        case Server() as server:
            with _driver():
                from project_memory.storage.postgres.findings import (  # noqa: PLC0415
                    findings as inside,
                )

            return inside(server)
        case path:
            from project_memory.storage.sqlite.findings import findings as beside  # noqa: PLC0415

            return beside(path)


def copy_storage(source: str | None, target: str, tell: Tell) -> Copied:
    """Copy the store of one URL to another, where there is none yet. See `copying.copied`."""
    from project_memory.storage.copying import copied  # noqa: PLC0415  # see above

    if address(source) == address(target):
        raise InvalidInput(f"'{address(target)}' is the store itself; name another place")
    with (
        closing(open_storage(source, create=False)) as old,
        closing(open_storage(target, create=True)) as new,
    ):
        return copied(old, new, tell)


def restore_storage(
    url: str | None,
    file: Path,
    *,
    time: str,
    host: str,
    allow: Allow,
    tell: Tell,
    busy_timeout: float = BUSY_TIMEOUT,
) -> Restored:
    """Put what a backup holds in the place of a store. See `restoring.restored`."""
    from project_memory.storage.restoring import Here, restored  # noqa: PLC0415  # see above

    here = Here(time, host, busy_timeout)
    return restored(url, file, here, allow=allow, tell=tell)


@contextmanager
def _driver() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise InvalidInput(
            "a store in PostgreSQL needs a driver that is not installed; run "
            "`pip install '.[postgres]'` in your clone of project-memory"
        ) from error
