"""Open a connection, and keep a bounded number of them for use by one thread at a time."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from project_memory.storage import refusals

Connect: TypeAlias = Callable[[Path], sqlite3.Connection]
"""Opens a connection to an existing file; raises the driver's errors."""

_ATTEMPT_SECONDS = 0.2
_SETTINGS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA cache_size = -32768",  # KiB at most; a bulk then writes no page twice
)


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection to an existing file, never making one.

    Raises:
        sqlite3.Error: it cannot be opened, or another connection's lock is in the way.
    """
    # isolation_level=None: transactions are ours to begin; the module would defer them.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=_ATTEMPT_SECONDS,
    )
    try:
        for setting in _SETTINGS:
            connection.execute(setting)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


class Pool:
    """Connections to one file, at most `size` in use at once, each by one thread at a time."""

    def __init__(
        self,
        path: Path,
        identify: Callable[[Path], object],
        open_one: Callable[[], sqlite3.Connection],
        size: int,
    ) -> None:
        self._path = path
        self._identify = identify
        self._open_one = open_one
        self._places = threading.BoundedSemaphore(size)
        self._idle: list[tuple[object, sqlite3.Connection]] = []
        self._guard = threading.Lock()
        self._closed = False
        self._process = os.getpid()

    @contextmanager
    def connection(self, seconds: float) -> Iterator[sqlite3.Connection]:
        """Lend a connection to the file that has the path now, waiting for a free one.

        Raises:
            NotFound: the file is gone.
            StorageBusy: none was free within `seconds`.
            StorageError: the pool is closed, or was inherited by a forked process.
        """
        self._check()
        if not self._places.acquire(timeout=seconds):
            raise refusals.busy(self._path)
        try:
            identity = self._identify(self._path)
            connection = self._take(identity) or self._open_one()
            try:
                yield connection
            finally:
                self._give_back(identity, connection)
        finally:
            self._places.release()

    def close(self) -> None:
        """Close the idle connections; those in use are closed when they come back."""
        with self._guard:
            self._closed = True
            idle, self._idle = self._idle, []
        if self._process == os.getpid():
            for _, connection in idle:
                _close(connection)

    def _check(self) -> None:
        if self._closed:
            raise refusals.closed(self._path)
        # SQLite's locks do not survive a fork: the child could corrupt the file.
        if self._process != os.getpid():
            raise refusals.forked(self._path)

    def _take(self, identity: object) -> sqlite3.Connection | None:
        with self._guard:
            while self._idle:
                opened, connection = self._idle.pop()
                if opened == identity:
                    return connection
                # Another file has the name: what is written to the old one would be lost.
                _close(connection)
        return None

    def _give_back(self, identity: object, connection: sqlite3.Connection) -> None:
        with self._guard:
            if not self._closed and not connection.in_transaction:
                self._idle.append((identity, connection))
                return
        _close(connection)


def _close(connection: sqlite3.Connection) -> None:
    # Closing the last connection moves the log into the file, which a full disk can refuse;
    # the log stays then, and so does everything that was committed.
    with suppress(sqlite3.Error):
        connection.close()
