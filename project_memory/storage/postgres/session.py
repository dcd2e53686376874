"""Statements of one transaction on one connection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from project_memory.storage import refusals
from project_memory.storage.codec import unstorable
from project_memory.storage.postgres import failures
from project_memory.storage.postgres.connections import Connection
from project_memory.storage.server import Server

_ROWS = 100
"""Rows that one statement inserts at most; it has room for 65535 values."""


class PostgresSession:
    """See `relational.session.Session`."""

    def __init__(self, connection: Connection, server: Server) -> None:
        self.server = server
        self._connection: Connection | None = connection

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Session.rows`."""
        try:
            return self._execute(sql, parameters).fetchall()
        except UnicodeEncodeError:
            return []
        except psycopg.Error as error:
            raise failures.translated(error, self.server) from error

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """See `Session.row`."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """See `Session.run`."""
        try:
            return self._execute(sql, parameters).rowcount
        except UnicodeEncodeError as error:
            raise unstorable(error) from error
        except psycopg.Error as error:
            raise failures.translated(error, self.server) from error

    def run_each(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """See `Session.run_each`."""
        try:
            # without waiting for the answer to one before the next is sent
            self._live().cursor().executemany(_bound(sql), rows)
        except UnicodeEncodeError as error:
            raise unstorable(error) from error
        except psycopg.Error as error:
            raise failures.translated(error, self.server) from error

    def insert(self, into: str, rows: Sequence[Sequence[Any]], on: str = "") -> None:
        """See `Session.insert`."""
        # many rows a statement: each statement, even unanswered, waits for its turn to be sent
        for first in range(0, len(rows), _ROWS):
            some = rows[first : first + _ROWS]
            places = f"({', '.join('?' * len(some[0]))})"
            sql = f"INSERT INTO {into} VALUES {', '.join([places] * len(some))} {on}"
            self.run(sql, [value for row in some for value in row])

    def check_open(self) -> None:
        """See `Session.check_open`."""
        self._live()

    def end(self) -> None:
        """Refuse every further statement; the connection goes back to its pool."""
        self._connection = None

    def _execute(self, sql: str, parameters: Sequence[Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        return self._live().execute(_bound(sql), parameters)

    def _live(self) -> Connection:
        if self._connection is None:
            raise refusals.ended(self.server)
        return self._connection


@contextmanager
def transaction(
    connection: Connection, server: Server, begin: Callable[[Connection], None]
) -> Iterator[PostgresSession]:
    """Open a session in a transaction: committed on clean exit, rolled back on any exception."""
    try:
        try:
            begin(connection)
        except psycopg.Error as error:
            raise failures.translated(error, server) from error
        session = PostgresSession(connection, server)
        try:
            yield session
        finally:
            session.end()
        _commit(connection, server)
    finally:
        if connection.info.transaction_status != TransactionStatus.IDLE:
            # The error under way says more; the pool throws a connection away that is broken.
            with suppress(psycopg.Error):
                connection.rollback()


@cache
def _bound(sql: str) -> bytes:
    """Return a statement with the driver's placeholders in the place of ``?``."""
    return sql.replace("?", "%s").encode()


def _commit(connection: Connection, server: Server) -> None:
    try:
        connection.commit()
    except psycopg.Error as error:
        if failures.is_lost(error):
            raise failures.uncertain(server) from error
        raise failures.translated(error, server) from error
