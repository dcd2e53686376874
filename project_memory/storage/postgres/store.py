"""Transactions over a PostgreSQL database, which any number of processes share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Event

import psycopg
from psycopg.sql import Literal

from project_memory.ports import Reader, Writer
from project_memory.storage.copying import fill, in_rows, in_tables
from project_memory.storage.location import backups
from project_memory.storage.postgres import migrations, sweeping
from project_memory.storage.postgres.connections import Connection, Pool, connect
from project_memory.storage.postgres.following import followed
from project_memory.storage.postgres.migrations import VERSION
from project_memory.storage.postgres.reader import PostgresReader
from project_memory.storage.postgres.session import transaction
from project_memory.storage.postgres.writer import PostgresWriter
from project_memory.storage.relational.steps import Migration, check_unchanged
from project_memory.storage.server import Server
from project_memory.storage.sqlite import SqliteStorage, copies, files
from project_memory.storage.sqlite import migrations as sqlite_steps

_READERS, _WRITERS = 8, 4
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = {}"
# Who changes one project lets in who changes another one, and keeps out who changes all.
_LOCK_ALL = "LOCK TABLE store IN EXCLUSIVE MODE"
_LOCK_SHARED = "LOCK TABLE store IN ROW SHARE MODE"
_LOCK_ONE = """SELECT key FROM projects WHERE name = {name}
    OR key = (SELECT project FROM repository_ids WHERE repository_id = {name}) FOR UPDATE"""


class PostgresStorage:
    """See `ports.Storage`.

    Readers and writers have connections of their own, so that readers never wait for one that a
    waiting writer has.
    """

    def __init__(
        self,
        server: Server,
        *,
        create: bool = False,
        busy_timeout: float = 30.0,
        steps: Sequence[Migration] | None = None,
    ) -> None:
        """Open the store in this database; with `create`, make it first where there is none.

        Args:
            server: Address of the database, which must exist.
            create: Whether a missing store is made.
            busy_timeout: Seconds to wait for another writer.
            steps: Migrations up to the schema version to work with; the packaged ones by default.
        """
        self._server = server
        self._seconds = busy_timeout
        self._steps = migrations.packaged() if steps is None else tuple(steps)
        with connect(server) as connection:
            migrations.bring_up(
                connection,
                server,
                self._steps,
                create=create,
                seconds=busy_timeout,
                backups=backups,
            )
        self._readers = Pool(server, _READERS, busy_timeout)
        self._writers = Pool(server, _WRITERS, busy_timeout)

    @property
    def url(self) -> str:
        """See `Storage.url`."""
        return self._server.shown

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """See `Storage.read`."""
        with (
            self._readers.connection() as connection,
            transaction(connection, self._server, partial(self._begin, _READ)) as session,
        ):
            yield PostgresReader(session)

    @contextmanager
    def write(self, project: str | None = None) -> Iterator[Writer]:
        """See `Storage.write`."""
        with (
            self._writers.connection() as connection,
            transaction(
                connection, self._server, partial(self._begin_writing, project)
            ) as session,
        ):
            writer = PostgresWriter(session)
            yield writer
            writer.check_ids()

    def follow(self, end: Event) -> Iterator[int]:
        """See `Storage.follow`."""
        return followed(self._server, end)

    def copy_to(self, path: Path) -> Mapping[str, int]:
        """See `Storage.copy_to`."""
        with copies.arriving(path) as draft:
            files.initialise(draft, sqlite_steps.packaged())
            with (
                closing(SqliteStorage(draft)) as target,
                self.read() as old,
                target.write() as new,
            ):
                counts = fill(in_tables(old, self), in_rows(new, target), str(path), _untold)
            copies.pack(draft)
        return counts

    def sweep(self) -> list[str]:
        """See `Storage.sweep`."""
        with self.read() as reader:
            store_id = reader.store_id()
        with self._writers.connection() as connection:
            return sweeping.swept(connection, self._server, self._seconds, backups(), store_id)

    def close(self) -> None:
        """See `Storage.close`."""
        self._readers.close()
        self._writers.close()

    def _begin_writing(self, project: str | None, connection: Connection) -> None:
        begin = _WRITE.format(max(1, round(self._seconds * 1000)))
        if project is None:
            self._begin(f"{begin}; {_LOCK_ALL}", connection)
        else:
            # in one go, since who has a lock lets others wait for each answer of the server;
            # what is sent so takes no parameters
            name = Literal(project).as_string(connection)
            self._begin(f"{begin}; {_LOCK_SHARED}; {_LOCK_ONE.format(name=name)}", connection)

    def _begin(self, statement: str, connection: Connection) -> None:
        # This first read fixes what a reader sees.
        cursor: psycopg.Cursor[tuple[str]] = connection.execute(f"{statement}; {VERSION}".encode())
        while cursor.nextset():
            pass
        row = cursor.fetchone()
        check_unchanged(int(row[0]) if row else 0, len(self._steps), self._server)


def _untold(_done: int, _of: int) -> None:
    pass
