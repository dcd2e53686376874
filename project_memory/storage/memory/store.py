"""Transactions over dictionaries: readers keep the old ones, a commit puts new ones in place."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event

from project_memory.ports import Reader, Writer
from project_memory.storage import refusals
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
    def write(self, project: str | None = None) -> Iterator[Writer]:  # noqa: ARG002
        """See `Storage.write`."""
        self._check_open()
        if not self._turn.acquire(timeout=self._seconds):
            raise refusals.busy(URL)
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

    def follow(self, end: Event) -> Iterator[int]:  # noqa: ARG002
        """See `Storage.follow`."""
        return iter(())

    def copy_to(self, path: Path) -> Mapping[str, int]:  # noqa: ARG002
        """See `Storage.copy_to`."""
        raise refusals.fleeting(URL)

    def sweep(self) -> list[str]:
        """See `Storage.sweep`."""
        self._check_open()
        with self._turn:
            self._tables = replace(self._tables, owes_sweep=False)
        return []

    def close(self) -> None:
        """See `Storage.close`."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise refusals.closed(URL)
