"""Store URL to back end."""

from __future__ import annotations

from project_memory.ports import Storage
from project_memory.storage.location import IN_MEMORY, address, is_local, located
from project_memory.storage.sqlite import BUSY_TIMEOUT, SqliteStorage

__all__ = ["IN_MEMORY", "address", "findings", "is_local", "open_storage"]


def open_storage(url: str | None, *, create: bool, busy_timeout: float = BUSY_TIMEOUT) -> Storage:
    """Open the store of a URL: a path, ``sqlite:///path``, ``inmemory://``, or None: the default.

    Args:
        url: Where the store is.
        create: Whether a missing file is made into an empty store; an in-memory store always is.
        busy_timeout: Seconds that a writer waits for another one.

    Raises:
        InvalidInput: the URL cannot be used.
        NotFound: there is no such file, and `create` is false.
        StoreUnreadable: the file is no store, is damaged, or is out of reach.
        SchemaVersionMismatch: a newer version of this package wrote it.
        StorageError: it cannot be created or upgraded.
    """
    path = located(url)
    if path is None:
        from project_memory.storage.memory import InMemoryStorage  # noqa: PLC0415  # rarely asked for

        return InMemoryStorage(busy_timeout=busy_timeout)
    return SqliteStorage(path, create=create, busy_timeout=busy_timeout)


def findings(url: str | None) -> list[str]:
    """Return what is wrong with the store of a URL, each with its remedy; none when it is sound.

    The store is read through, which takes a while for a large one, and not changed.

    Raises:
        InvalidInput: the URL cannot be used.
    """
    from project_memory.storage.sqlite.findings import findings  # noqa: PLC0415

    path = located(url)
    return [] if path is None else findings(path)
