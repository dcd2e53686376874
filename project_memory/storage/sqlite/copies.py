"""A whole store in a file of its own: what backups leave behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from project_memory.errors import Conflict, NotFound, StorageError, StoreUnreadable
from project_memory.storage.relational.steps import check_version
from project_memory.storage.sqlite import drafts, failures, files, migrations, pages


@contextmanager
def arriving(path: Path) -> Iterator[Path]:
    """Yield an empty file that is given this name in the end, for its owner only.

    After an error, and after a process that was killed, nothing has the name; what such a process
    left in the folder is removed.

    Raises:
        Conflict: the name is taken.
        StorageError: the folder cannot be made or written, or has no space left.
    """
    # one name for all, so that whoever comes next finds what was left
    beside = path.with_name("backup")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        drafts.sweep(beside)
        with drafts.draft(beside) as draft:
            yield draft
            if not files.publish(draft, path):
                raise Conflict(f"'{path}' exists already; name a file that does not")
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error
    except sqlite3.Error as error:
        raise _unwritable(path, str(error)) from error


def write(source: sqlite3.Connection, draft: Path, path: Path) -> None:
    """Copy what a connection to the store at a path sees into an empty file.

    Raises:
        StoreUnreadable: the store is damaged.
        sqlite3.Error: the file cannot be written.
    """
    try:
        verdict = pages.copied(source, draft)
    except sqlite3.DatabaseError as error:
        found = failures.translated(error, path)
        if isinstance(found, StoreUnreadable):
            raise found from error
        raise
    if verdict != pages.SOUND:
        raise StoreUnreadable(
            f"store '{path}' is damaged ({verdict}), so that no backup was made of it; put an "
            "earlier one in its place with `project-memory restore`"
        )


def check(draft: Path, counts: Mapping[str, int], path: Path) -> None:
    """Refuse a copy that does not hold as many rows of each table as the store did.

    Raises:
        StorageError: it holds others.
        sqlite3.Error: it cannot be read.
    """
    with closing(sqlite3.connect(draft)) as copy:
        for name, count in counts.items():
            if copy.execute(f"SELECT count(*) FROM {name}").fetchone()[0] != count:
                raise StorageError(
                    f"backup '{path}' does not hold what the store does of '{name}', and was not "
                    "kept; report this"
                )


def pack(draft: Path) -> None:
    """Make a store that nobody uses one file, without a log beside it.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    with closing(sqlite3.connect(draft)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def unpacked(file: Path, folder: Path) -> Iterator[Path]:
    """Yield a copy, in a folder, of the store in a file, which stays as it is.

    Raises:
        NotFound: there is no such file.
        StoreUnreadable: it is no store, or is damaged.
        SchemaVersionMismatch: a newer version of this package wrote it.
    """
    if not file.exists():
        raise NotFound(f"no file '{file}'; name a backup that `project-memory backup` wrote")
    files.check_file(file)
    draft = folder / "restored.db"
    try:
        source = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        with closing(source):
            files.check_identity(source, file)
            check_version(migrations.version(source), len(migrations.packaged()), file)
            verdict = pages.copied(source, draft)
    except sqlite3.Error as error:
        raise failures.translated(error, file) from error
    if verdict != pages.SOUND:
        raise StoreUnreadable(
            f"'{file}' is damaged ({verdict}), nothing was restored; take another backup"
        )
    yield draft


def _unwritable(path: Path, reason: str) -> StorageError:
    return StorageError(
        f"backup '{path}' cannot be written ({reason.lower()}); check that you may write to its "
        "folder and that there is space left"
    )
