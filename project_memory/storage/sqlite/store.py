"""Transactions over one SQLite file in WAL mode."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from project_memory.ports import Reader, Writer
from project_memory.storage.location import of_file
from project_memory.storage.relational.steps import Migration, check_unchanged, check_version
from project_memory.storage.sqlite import copies, files, migrations, sweeping
from project_memory.storage.sqlite.connections import Connect, Pool, connect
from project_memory.storage.sqlite.findings import networked
from project_memory.storage.sqlite.reader import SqliteReader
from project_memory.storage.sqlite.session import patiently, transaction
from project_memory.storage.sqlite.writer import SqliteWriter

logger = logging.getLogger(__name__)

_READERS = 8
BUSY_TIMEOUT = 30.0
"""Seconds that a writer waits for another one."""


class SqliteStorage:
    """See `ports.Storage`.

    Writers of this process take turns before they ask for SQLite's lock, so that they hold one
    connection in all and readers never wait for one that a writer has.
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = False,
        busy_timeout: float = BUSY_TIMEOUT,
        steps: Sequence[Migration] | None = None,
        connect: Connect = connect,
    ) -> None:
        """Open the store in this file; with `create`, make it first where there is no file.

        Args:
            path: Absolute path of the file.
            create: Whether a missing file is created; any other file is left as it is.
            busy_timeout: Seconds to wait for another writer.
            steps: Migrations up to the schema version to work with; the packaged ones by default.
            connect: Opens a connection.
        """
        self._path = path
        self._seconds = busy_timeout
        self._steps = migrations.packaged() if steps is None else tuple(steps)
        self._connect = connect
        self._readers = Pool(path, files.check_file, self._open_connection, _READERS)
        self._writers = Pool(path, files.check_file, self._open_connection, 1)
        if create and files.create(path, self._steps):
            for warning in networked(path):
                logger.warning("%s", warning)
        with self._readers.connection(self._seconds):
            pass  # opened, checked and brought up to date; kept for the first reader

    @property
    def url(self) -> str:
        """See `Storage.url`."""
        return of_file(self._path)

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """See `Storage.read`."""
        with (
            self._readers.connection(self._seconds) as connection,
            transaction(connection, self._path, self._begin_reading) as session,
        ):
            yield SqliteReader(session)

    @contextmanager
    def write(self, project: str | None = None) -> Iterator[Writer]:  # noqa: ARG002
        """See `Storage.write`."""
        with (
            self._writers.connection(self._seconds) as connection,
            transaction(connection, self._path, self._begin_writing) as session,
        ):
            writer = SqliteWriter(session)
            yield writer
            writer.check_ids()

    def follow(self, end: Event) -> Iterator[int]:  # noqa: ARG002
        """See `Storage.follow`."""
        return iter(())

    def copy_to(self, path: Path) -> Mapping[str, int]:
        """See `Storage.copy_to`."""
        with (
            copies.arriving(path) as draft,
            self._readers.connection(self._seconds) as connection,
            transaction(connection, self._path, self._begin_reading) as session,
        ):
            counts = {table.name: table.count(session) for table in SqliteReader.TABLES}
            copies.write(connection, draft, self._path)
            copies.check(draft, counts, path)
        return counts

    def sweep(self) -> list[str]:
        """See `Storage.sweep`."""
        with self._writers.connection(self._seconds) as connection:
            return sweeping.swept(connection, self._path, self._seconds)

    def close(self) -> None:
        """See `Storage.close`."""
        self._readers.close()
        self._writers.close()

    def _open_connection(self) -> sqlite3.Connection:
        return patiently(self._checked_connection, self._seconds, self._path)

    def _checked_connection(self) -> sqlite3.Connection:
        connection = self._connect(self._path)
        try:
            files.check_identity(connection, self._path)
            found = migrations.version(connection)
            check_version(found, len(self._steps), self._path)
            if found < len(self._steps):
                migrations.upgrade(connection, self._path, self._steps)
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin_reading(self, connection: sqlite3.Connection) -> None:
        self._begin(connection, "BEGIN DEFERRED")

    def _begin_writing(self, connection: sqlite3.Connection) -> None:
        # IMMEDIATE: a deferred transaction that upgrades can fail midway, at once.
        self._begin(connection, "BEGIN IMMEDIATE")

    def _begin(self, connection: sqlite3.Connection, statement: str) -> None:
        def attempt() -> int:
            if not connection.in_transaction:
                connection.execute(statement)
            # This first read fixes what a reader sees.
            return migrations.version(connection)

        found = patiently(attempt, self._seconds, self._path)
        check_unchanged(found, len(self._steps), self._path)
