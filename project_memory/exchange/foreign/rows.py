"""The tables of another program's SQLite file, read from a copy so that nothing of it changes."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from project_memory.documents import printable
from project_memory.errors import InvalidInput, StoreUnreadable
from project_memory.exchange.foreign.item import MAX_ITEMS

MAX_BYTES = 512 * 1024 * 1024
"""Size of a database, in bytes."""
HEADER = b"SQLite format 3\x00"
_BROKEN = (sqlite3.Error, UnicodeDecodeError)  # the latter where a name is no text

Row: TypeAlias = Mapping[str, Any]
Tables: TypeAlias = Mapping[str, list[Row]]


def tables(path: Path) -> frozenset[str]:
    """Return the names of the tables in a database; none if it is none.

    Raises:
        StoreUnreadable: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(HEADER)) != HEADER:
                return frozenset()
    except OSError as error:
        raise _unreadable(path, error.strerror) from error
    with _copied(path) as database:
        return frozenset(_names(database, path))


def read(path: Path, wanted: Collection[str], optional: Collection[str] = ()) -> Tables:
    """Return the rows of tables by name, each in the order of its rowid.

    Raises:
        InvalidInput: a table is missing, or has more rows than are read.
        StoreUnreadable: it is no database, or damaged.
    """
    with _copied(path) as database:
        present = _names(database, path)
        _refuse_damaged(database, path)
        missing = sorted(set(wanted) - set(present))
        if missing:
            raise InvalidInput(
                f"'{printable(path.name)}' has no table '{missing[0]}'; name the file of the "
                "program that the format is of"
            )
        names = [name for name in (*wanted, *optional) if name in present]
        return {name: _rows(database, path, name) for name in names}


def _refuse_damaged(database: sqlite3.Connection, path: Path) -> None:
    try:
        (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except _BROKEN as error:
        raise _unreadable(path, str(error)) from error
    if verdict != "ok":
        raise _unreadable(path, "it is damaged")


def _rows(database: sqlite3.Connection, path: Path, table: str) -> list[Row]:
    try:
        cursor = database.execute(
            f"SELECT *, rowid AS rowid_ FROM {table} ORDER BY rowid LIMIT ?",  # noqa: S608
            (MAX_ITEMS + 1,),
        )
        columns = [column[0] for column in cursor.description]
        rows: list[Row] = [dict(zip(columns, row, strict=True)) for row in cursor]
    except _BROKEN as error:
        raise _unreadable(path, str(error)) from error
    if len(rows) > MAX_ITEMS:
        raise InvalidInput(
            f"table '{table}' of '{printable(path.name)}' has more than {MAX_ITEMS:,} rows; "
            "import a part of it"
        )
    return rows


def _names(database: sqlite3.Connection, path: Path) -> list[str]:
    try:
        found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except _BROKEN as error:
        raise _unreadable(path, str(error)) from error
    return [str(name) for (name,) in found]


@contextmanager
def _copied(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy of a database with what its log holds; the original gets no lock and no file."""
    with tempfile.TemporaryDirectory(prefix="project-memory-") as folder:
        copy = Path(folder) / "copy.db"
        try:
            if path.stat().st_size > MAX_BYTES:
                raise InvalidInput(
                    f"'{printable(path.name)}' is larger than {MAX_BYTES // (1024 * 1024)} MiB; "
                    "import a part of it"
                )
            shutil.copyfile(path, copy)
            log = path.with_name(f"{path.name}-wal")
            if log.exists():
                shutil.copyfile(log, copy.with_name("copy.db-wal"))
        except OSError as error:
            raise _unreadable(path, error.strerror) from error
        with closing(sqlite3.connect(copy)) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            database.text_factory = _text
            yield database


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _unreadable(path: Path, why: object) -> StoreUnreadable:
    return StoreUnreadable(
        f"cannot read '{printable(path.name)}' ({why}); nothing was taken from it"
    )
