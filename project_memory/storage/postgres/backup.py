"""A store as a script for psql: what an upgrade leaves behind of the version before."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from psycopg import sql

from project_memory.errors import StorageError
from project_memory.storage.postgres.connections import SCHEMA, Connection
from project_memory.storage.relational.steps import Migration
from project_memory.storage.server import Server

_HEAD = """-- A store of project-memory, schema version {version}, of {time}.
-- It goes into a database without one: psql --set ON_ERROR_STOP=1 --file THIS DATABASE
\\set ON_ERROR_STOP 1
BEGIN;
SET client_encoding = 'UTF8';
CREATE SCHEMA {schema};
SET search_path = {schema};
"""
_TABLES = """SELECT relname FROM pg_class
    WHERE relnamespace = %s::regnamespace AND relkind = 'r' ORDER BY oid"""
_COUNTERS = """SELECT sequencename, last_value FROM pg_sequences
    WHERE schemaname = %s AND last_value IS NOT NULL ORDER BY sequencename"""


def write(
    connection: Connection, steps: Sequence[Migration], folder: Path, server: Server
) -> Path:
    """Write everything that a store of these migrations holds to a new file, and return it.

    The file is for its owner only. A transaction is under way, which gives the view.

    Raises:
        StorageError: it cannot be written.
    """
    row = connection.execute("SELECT value FROM store WHERE name = 'id'").fetchone()
    assert row is not None
    try:
        with _created(folder, f"{row[0]}.v{len(steps)}") as (path, file):
            for part in _script(connection, steps):
                file.write(part)
    except OSError as error:
        raise StorageError(
            f"store '{server}' cannot be upgraded, its backup cannot be written to '{folder}' "
            f"({error.strerror}); allow writing there"
        ) from error
    return path


def _script(connection: Connection, steps: Sequence[Migration]) -> Iterator[bytes]:
    time = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield _HEAD.format(version=len(steps), time=time, schema=SCHEMA).encode()
    for step in steps:
        yield step.sql.encode() + b"\n"
    yield b"DELETE FROM store;\n"
    # a table that refers to another was made after it
    for (name,) in connection.execute(_TABLES, (SCHEMA,)).fetchall():
        yield b"\nCOPY %s FROM stdin;\n" % name.encode()
        with connection.cursor().copy(
            sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(name))
        ) as rows:
            yield from map(bytes, rows)
        yield b"\\.\n"
    for name, last in connection.execute(_COUNTERS, (SCHEMA,)).fetchall():
        yield b"\nSELECT setval('%s', %d);\n" % (name.encode(), last)
    yield b"COMMIT;\n"


@contextmanager
def _created(folder: Path, name: str) -> Iterator[tuple[Path, BinaryIO]]:
    """Yield a new file of this name, or with a number added, which is gone after an error."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    number = 1
    while True:
        suffix = "" if number == 1 else f".{number}"
        path = folder / f"{name}{suffix}.sql"
        try:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            number += 1
            continue
        break
    try:
        with os.fdopen(handle, "wb") as file:
            yield path, file
            file.flush()
            os.fsync(handle)
    except BaseException:
        path.unlink()
        raise
