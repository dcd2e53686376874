"""The file of a store: is it one, and how one comes into being."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from project_memory.errors import StorageError, StoreUnreadable
from project_memory.storage import refusals
from project_memory.storage.relational.steps import Migration
from project_memory.storage.sqlite import drafts, failures, migrations
from project_memory.storage.sqlite.connections import connect

APPLICATION_ID = int.from_bytes(b"PMEM", "big")
"""Marks the SQLite files that are stores."""


Identity: TypeAlias = tuple[int, int]
"""Device and inode: which file it is, whatever happens to its name."""

_SECTOR = 512
"""Every page size is a multiple of this."""


def check_file(path: Path) -> Identity:
    """Return which file this is, having refused what cannot be a store, without opening it.

    The file is never opened but through SQLite: closing it would drop the locks that SQLite
    holds on it in this process.

    Raises:
        NotFound: there is no such file.
        StoreUnreadable: it is empty, no regular file, or out of reach.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise refusals.missing(path) from error
    except OSError as error:
        raise _out_of_reach(path, error) from error
    if stat.S_ISDIR(found.st_mode):
        raise StoreUnreadable(f"'{path}' is a directory, not a store; name the file in it")
    if not stat.S_ISREG(found.st_mode):
        raise StoreUnreadable(f"'{path}' is not a regular file; name the file of a store")
    if found.st_size == 0:
        raise StoreUnreadable(
            f"'{path}' is empty, not a store; check the path, or remove the file to create one"
        )
    if found.st_size % _SECTOR and not Path(f"{path}-wal").exists():
        # SQLite takes what lacks of a page for zeros; with a log it writes the page again.
        raise failures.damaged(path)
    return found.st_dev, found.st_ino


def check_identity(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse the database of another program.

    Raises:
        StoreUnreadable: its application id is not ours.
        sqlite3.Error: it is no database, or cannot be read.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreUnreadable(
            f"'{path}' is a database of another program, not a store; it was left as it is: "
            "check the path"
        )


def create(path: Path, steps: Sequence[Migration]) -> bool:
    """Create a store unless there is a file already, and return whether it was made.

    It is made whole under another name and then linked into place, so that nobody ever sees
    half a store. What a creation that was killed left behind is removed.

    Raises:
        StorageError: the folder cannot be made or written.
    """
    drafts.sweep(path)
    if os.path.lexists(path):
        return False
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with drafts.draft(path) as draft:
            initialise(draft, steps)
            return publish(draft, path)
    except OSError as error:
        raise StorageError(
            f"store '{path}' cannot be created ({error.strerror}); check that you may write to "
            "its folder and that there is space left"
        ) from error
    except sqlite3.Error as error:
        raise failures.translated(error, path) from error


def initialise(draft: Path, steps: Sequence[Migration]) -> None:
    """Make a store in an empty file.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    with closing(connect(draft)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        migrations.apply(connection, steps)
        connection.execute("COMMIT")


def publish(draft: Path, path: Path) -> bool:
    """Give the draft its name unless that is taken; return whether it was free."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    except OSError:
        return _publish_without_links(draft, path)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return True


def _publish_without_links(draft: Path, path: Path) -> bool:
    """Do the same on a file system without hard links: claim the name, then fill it."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    draft.replace(path)
    return True


def _out_of_reach(path: Path, error: OSError) -> StoreUnreadable:
    return StoreUnreadable(
        f"store '{path}' is out of reach ({error.strerror}); check the permissions of its folders"
    )
