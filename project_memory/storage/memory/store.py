"""Transactions over dictionaries: readers keep the old ones, a commit puts new ones in place."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from project_memory.errors import StorageBusy, StorageError
from project_memory.ports import Reader, Writer
from project_memory.storage.memory.reader import InMemoryReader
from project_memory.storage.memory.tables import URL, Tables
from project_memory.storage.memory.writer import InMemoryWriter


class InMemoryStorage:
    """See `ports.Storage`; each instance is a store of its own, gone with it."""

    def __init__(self, *, busy_timeout: float = 30.0) -> None:
        self._tables = Tables()
        self._seconds = busy_timeout
        self._turn = threading.Lock()
        self._closed = False

    @property
    def url(self) -> str:
        """See `Storage.url`."""
        return URL

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """See `Storage.read`."""
        self._check_open()
        reader = InMemoryReader(self._tables)
        try:
            yield reader
        finally:
            reader.end()

    @contextmanager
    def write(self) -> Iterator[Writer]:
        """See `Storage.write`."""
        self._check_open()
        if not self._turn.acquire(timeout=self._seconds):
            raise StorageBusy(
                f"store '{URL}' is busy, another writer has held it for too long; "
                "repeat the command"
            )
        try:
            tables = self._tables.copy()
            writer = InMemoryWriter(tables)
            try:
                yield writer
                writer.check_ids()
            finally:
                writer.end()
            self._tables = tables
        finally:
            self._turn.release()

    def sweep(self) -> list[str]:
        """See `Storage.sweep`."""
        self._check_open()
        return []

    def close(self) -> None:
        """See `Storage.close`."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StorageError(f"store '{URL}' is closed; open it again")
