"""Statements of one transaction on one connection."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from project_memory.storage import refusals
from project_memory.storage.codec import unstorable
from project_memory.storage.sqlite import failures

_PAUSE = 0.005
_Result = TypeVar("_Result")


class Session:
    """Runs bound statements until its transaction ends; raises only this package's errors."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = connection

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return every row of a query; none when a parameter is text that cannot be stored.

        Rows are fetched at once: a statement left pending would outlive its transaction.
        """
        try:
            return self._execute(sql, parameters).fetchall()
        except UnicodeEncodeError:
            return []
        except sqlite3.Error as error:
            raise failures.translated(error, self.path) from error

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run a statement that changes rows and return how many it changed.

        Raises:
            InvalidInput: a parameter holds a lone surrogate.
        """
        try:
            return self._execute(sql, parameters).rowcount
        except UnicodeEncodeError as error:
            raise unstorable(error) from error
        except sqlite3.Error as error:
            raise failures.translated(error, self.path) from error

    def run_each(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement that changes rows once for each of these parameters.

        Raises:
            InvalidInput: a parameter holds a lone surrogate.
        """
        try:
            self._live().executemany(sql, rows)
        except UnicodeEncodeError as error:
            raise unstorable(error) from error
        except sqlite3.Error as error:
            raise failures.translated(error, self.path) from error

    def insert(self, into: str, rows: Sequence[Sequence[Any]], on: str = "") -> None:
        """Insert rows, of the same number of values each, ``into`` a table and its columns.

        ``on`` is the clause for rows that are there; no two of these may be the same one.

        Raises:
            InvalidInput: a value holds a lone surrogate.
        """
        if rows:
            places = ", ".join("?" * len(rows[0]))
            self.run_each(f"INSERT INTO {into} VALUES ({places}) {on}", rows)

    def check_open(self) -> None:
        """Raise StorageError if the transaction has ended."""
        if self._connection is None:
            raise refusals.ended(self.path)

    def end(self) -> None:
        """Refuse every further statement; the connection goes back to its pool."""
        self._connection = None

    def _execute(self, sql: str, parameters: Sequence[Any]) -> sqlite3.Cursor:
        return self._live().execute(sql, parameters)

    def _live(self) -> sqlite3.Connection:
        # A full disk can end the transaction under us; what follows would commit by itself.
        if self._connection is None or not self._connection.in_transaction:
            raise refusals.ended(self.path)
        return self._connection


@contextmanager
def transaction(
    connection: sqlite3.Connection, path: Path, begin: Callable[[sqlite3.Connection], None]
) -> Iterator[Session]:
    """Open a session in a transaction: committed on clean exit, rolled back on any exception."""
    try:
        begin(connection)
        session = Session(connection, path)
        try:
            yield session
        finally:
            session.end()
        _commit(connection, path)
    finally:
        # Still open after an exception, and after a commit that failed (a full disk).
        if connection.in_transaction:
            _roll_back(connection)


def patiently(attempt: Callable[[], _Result], seconds: float, path: Path) -> _Result:
    """Return what `attempt` returns, repeating it while another connection's lock is in the way.

    SQLite's own busy handler waits a fraction of a second in each attempt; the loop lets a
    keyboard interrupt through in between.

    Raises:
        StorageBusy: the lock was not free within `seconds`.
        StorageError: whatever else the driver reports.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            return attempt()
        except sqlite3.Error as error:
            if not failures.is_busy(error) or time.monotonic() >= deadline:
                raise failures.translated(error, path) from error
        time.sleep(_PAUSE)


def _commit(connection: sqlite3.Connection, path: Path) -> None:
    try:
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise failures.translated(error, path) from error


def _roll_back(connection: sqlite3.Connection) -> None:
    # The error under way says more; the pool closes a connection that is still in a transaction.
    with suppress(sqlite3.Error):
        connection.execute("ROLLBACK")
