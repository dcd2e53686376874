"""Leave no trace of what was removed: in the file, in its log; and know the copies beside it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from project_memory.storage.sqlite import failures
from project_memory.storage.sqlite.session import patiently

_PAUSE = 0.02


_OWED = "SELECT value FROM store WHERE name = 'sweep'"
_SETTLE = "DELETE FROM store WHERE name = 'sweep' AND value = ?"


def swept(connection: sqlite3.Connection, path: Path, seconds: float) -> list[str]:
    """Write the file anew without its free space, empty its log, and name what may remain.

    What was owed when it began is settled if the log could be emptied.

    Raises:
        StorageBusy: another writer held the lock for longer than `seconds`.
    """
    owed = patiently(lambda: connection.execute(_OWED).fetchone(), seconds, path)
    patiently(lambda: connection.execute("VACUUM"), seconds, path)
    remains = [
        f"backup '{file}' was made before and may hold it; delete it, or put it under lock"
        for file in backups(path)
    ]
    if not _emptied(connection, path, seconds):
        remains.append(
            f"another process reads an old view of the store, so that its log '{path}-wal' may "
            "hold it; run `project-memory doctor` when that process has ended, which clears it"
        )
    elif owed is not None:
        patiently(lambda: connection.execute(_SETTLE, owed), seconds, path)
    return remains


def backups(path: Path) -> Iterator[Path]:
    """Yield the backups that upgrades left beside a store, by name."""
    beginning, ending = f"{path.name}.v", ".backup"
    for file in sorted(path.parent.iterdir()):
        if file.name.startswith(beginning) and file.name.endswith(ending):
            yield file


def _emptied(connection: sqlite3.Connection, path: Path, seconds: float) -> bool:
    """Return whether the log could be emptied, which no reader of an old view lets happen."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            if not failures.is_busy(error):
                raise failures.translated(error, path) from error
            busy = 1
        if not busy or time.monotonic() >= deadline:
            return not busy
        time.sleep(_PAUSE)
