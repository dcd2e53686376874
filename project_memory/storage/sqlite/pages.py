"""Copy a store page by page, while it is in use."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

SOUND = "ok"
"""What SQLite says of a file that is whole."""


def copied(source: sqlite3.Connection, target: Path) -> str:
    """Copy what a connection sees into an empty file, and return what is wrong there, or `SOUND`.

    Nobody waits for it. The copy is one file: its log is in it.

    Raises:
        sqlite3.Error: the source cannot be read, or the target written.
    """
    with closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        return str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
