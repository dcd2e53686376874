"""Clear what a purge left: the kept indexes, the free space; also for one that was cut off."""

from __future__ import annotations

import logging

from project_memory.errors import StorageError
from project_memory.ports import Reader, Storage
from project_memory.services import backing_up, snapshots

logger = logging.getLogger(__name__)


def forget_indexes(reader: Reader) -> None:
    """Remove the indexes that are kept of every project, which may hold any text of it."""
    for project in reader.projects():
        snapshots.remove(reader, project.key)


def finish(storage: Storage, host: str) -> list[str]:
    """Clear kept indexes and free space, and say where what was purged may remain.

    Args:
        storage: The store.
        host: Name of this machine.

    Raises:
        StorageBusy: others used the store for too long; the sweep stays owed.
    """
    with storage.read() as reader:
        forget_indexes(reader)
        copies = backing_up.remains(reader, host)
    return [*copies, *storage.sweep()]


def owed(storage: Storage) -> bool:
    """Return whether a purge was cut off, or could not clear everything."""
    with storage.read() as reader:
        return reader.owes_sweep()


def settle(storage: Storage, host: str) -> None:
    """Finish what is owed; where that cannot be, warn, and leave it to the next writer."""
    try:
        if owed(storage):
            finish(storage, host)
    except StorageError as error:
        logger.warning("what was purged could not be cleared from the store: %s", error)
