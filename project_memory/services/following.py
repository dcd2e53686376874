"""Take in what other servers commit as soon as it is told, so that no question waits for it."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from project_memory.ports import Storage

_PATIENCE = 5.0
"""Seconds to wait for the thread at the end."""


class Follower:
    """A thread that calls `changed` with the key of each project that is changed."""

    def __init__(self, storage: Storage, changed: Callable[[int], None]) -> None:
        self._storage, self._changed = storage, changed
        self._end = Event()
        self._thread = Thread(target=self._run, name="following", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; idempotent."""
        self._end.set()
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        for project in self._storage.follow(self._end):
            self._changed(project)
