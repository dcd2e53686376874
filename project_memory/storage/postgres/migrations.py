"""Bring a store to the schema version this package works with."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg

from project_memory.errors import NotFound
from project_memory.storage.postgres import backup, failures
from project_memory.storage.postgres.connections import SCHEMA, Connection
from project_memory.storage.relational.steps import Migration, check_version, load
from project_memory.storage.server import Server

logger = logging.getLogger(__name__)

_FOLDER = Path(__file__).resolve().parent / "sql"
_TURN = int.from_bytes(b"PMEM", "big")
"""Name of the lock under which stores are made and upgraded."""

# with its schema: one who may not look into that is told so, and not that there is no such table
VERSION = f"SELECT value FROM {SCHEMA}.store WHERE name = 'schema'"
"""Statement that gives the schema version of a store."""


def packaged() -> tuple[Migration, ...]:
    """Return the migrations that ship with the package, by number."""
    return load(_FOLDER)


def version(connection: Connection) -> int:
    """Return the schema version of a store; 0 where there is none."""
    # from the catalog itself: what a name is known to mean may be of before a lock was awaited
    sql = "SELECT FROM pg_tables WHERE schemaname = %s AND tablename = 'store'"
    if connection.execute(sql, (SCHEMA,)).fetchone() is None:
        return 0
    row = connection.execute(VERSION).fetchone()
    return 0 if row is None else int(row[0])


def bring_up(
    connection: Connection,
    server: Server,
    steps: Sequence[Migration],
    *,
    create: bool,
    seconds: float,
    backups: Callable[[], Path],
) -> None:
    """Make a store where there is none and `create` says so; upgrade an older one after a backup.

    Both happen in one transaction.

    Args:
        connection: Connection to the database.
        server: Its address, for messages.
        steps: All migrations.
        create: Whether a missing store is made.
        seconds: How long to wait for others who use the store.
        backups: Returns the folder of backups.

    Raises:
        NotFound: there is no store, and `create` is false.
        SchemaVersionMismatch: a newer version of this package wrote it.
        StorageBusy: others used it for longer than `seconds`.
        StorageError: it cannot be created or upgraded; nothing was changed then.
    """
    try:
        found = version(connection)
        if not found and not create:
            raise NotFound(
                f"no store at '{server}'; check the URL, or create it with `project-memory init`"
            )
        check_version(found, len(steps), server)
        if found < len(steps):
            _bring_up(connection, server, steps, seconds, backups)
    except psycopg.Error as error:
        raise failures.translated(error, server) from error


def _bring_up(
    connection: Connection,
    server: Server,
    steps: Sequence[Migration],
    seconds: float,
    backups: Callable[[], Path],
) -> None:
    with connection.transaction():
        connection.execute(f"SET LOCAL lock_timeout = {max(1, round(seconds * 1000))}")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_TURN,))
        # Read again under the lock: another process may have just done it.
        old = version(connection)
        check_version(old, len(steps), server)
        if old == len(steps):
            return
        if old:
            connection.execute("LOCK TABLE store IN ACCESS EXCLUSIVE MODE")
            written = backup.write(connection, steps[:old], backups(), server)
            logger.warning(
                "store '%s' is upgraded from schema version %d to %d; the backup '%s' holds what "
                "it was",
                *(server, old, len(steps), written),
            )
        else:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        for step in steps[old:]:
            connection.execute(step.sql.encode())
        connection.execute("UPDATE store SET value = %s WHERE name = 'schema'", (str(len(steps)),))
