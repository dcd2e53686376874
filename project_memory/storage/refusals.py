"""What every back end refuses in the same words.

A place is a path, or a URL without credentials.
"""

from __future__ import annotations

from project_memory.errors import Conflict, InvalidInput, NotFound, StorageBusy, StorageError


def busy(place: object) -> StorageBusy:
    """Return the error for a lock that was not free in time."""
    return StorageBusy(
        f"store '{place}' is busy, another writer has held it for too long; repeat the command"
    )


def ended(place: object) -> StorageError:
    """Return the error for a reader or writer that is used after its `with` block."""
    return StorageError(f"this view of store '{place}' has ended; open another one")


def closed(place: object) -> StorageError:
    """Return the error for the use of a closed store."""
    return StorageError(f"store '{place}' is closed; open it again")


def forked(place: object) -> StorageError:
    """Return the error for a store whose connections another process opened."""
    return StorageError(
        f"store '{place}' was opened before this process was forked; open it in each process"
    )


def fleeting(place: object) -> InvalidInput:
    """Return the error for a copy of what is in no file and no database."""
    return InvalidInput(
        f"store '{place}' is gone with this process; name one in a file or a database"
    )


def name_taken(name: str, owner: str) -> Conflict:
    """Return the error for a name, or repository id, that another project goes by."""
    return Conflict(f"project '{owner}' goes by '{name}' already; choose another name")


def missing(place: object) -> NotFound:
    """Return the error for a store that is not there."""
    return NotFound(
        f"no store at '{place}'; check the path, or create it with `project-memory init`"
    )
