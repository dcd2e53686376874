"""Driver errors as this package's errors, each naming the file and the remedy."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from project_memory.errors import StorageError, StoreUnreadable
from project_memory.storage import refusals

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_CLOSED_TO_US = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
_OTHERS = {
    sqlite3.SQLITE_READONLY: (
        "store '{path}' or its folder is read-only, and SQLite must write beside the file even to "
        "read it; allow writing to both, or use another store"
    ),
    sqlite3.SQLITE_FULL: (
        "no space is left for store '{path}', nothing was changed; free some disk space and repeat"
    ),
    sqlite3.SQLITE_IOERR: (
        "the disk failed under store '{path}' ({error}), nothing was changed; check the disk, its "
        "quota and the file size limit, then repeat"
    ),
}
_UNFORESEEN = "store '{path}' failed ({error}); run `project-memory doctor`"


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether another connection's lock was in the way, so that waiting can help."""
    return _primary_code(error) in _BUSY


def translated(error: sqlite3.Error, path: Path) -> StorageError:
    """Return what a driver error means for the store at this path."""
    code = _primary_code(error)
    if code in _BUSY:
        return refusals.busy(path)
    if code in _DAMAGED:
        return damaged(path)
    if code in _CLOSED_TO_US:
        return StoreUnreadable(
            f"store '{path}' cannot be opened; check that you may read and write the file "
            "and its folder"
        )
    return StorageError(_OTHERS.get(code, _UNFORESEEN).format(path=path, error=error))


def damaged(path: Path) -> StoreUnreadable:
    """Return the error for a file that is no database, or no whole one."""
    return StoreUnreadable(
        f"'{path}' is not a store, or is damaged or truncated; it was left as it is: check the "
        "path, or put a backup in its place"
    )


def _primary_code(error: sqlite3.Error) -> int:
    # Errors of the Python module itself, such as ProgrammingError, carry no code.
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF
