"""Count what recall brings, and write the counts from a thread of their own, now and then.

No reader waits for a count: what cannot be written is kept for the next time, and what a crash
takes is at most one batch.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from project_memory import documents
from project_memory.errors import ProjectMemoryError
from project_memory.model import Uses
from project_memory.ports import Storage

logger = logging.getLogger(__name__)

LIMIT = 64
"""Calls of recall after which a batch is written at once."""

SECONDS = 20.0
"""How long a count waits for others before it is written."""

PATIENCE = 2.0
"""Seconds that closing waits for the last batch to be written."""


@dataclass(slots=True)
class Batch:
    """Counts that are not written yet, by day (UTC)."""

    questions: Counter[str] = field(default_factory=Counter)
    surfaced: Counter[tuple[str, str]] = field(default_factory=Counter)
    direct: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __bool__(self) -> bool:
        """Return whether anything was counted."""
        return bool(self.questions or self.surfaced)

    def add(self, other: Batch) -> None:
        """Take the counts of another batch too."""
        self.questions += other.questions
        self.surfaced += other.surfaced
        self.direct += other.direct

    def days(self) -> list[str]:
        """Return the days on which anything was counted, oldest first."""
        return sorted({*self.questions, *(day for day, _ in self.surfaced)})

    def uses(self, day: str) -> dict[str, Uses]:
        """Return memory id -> what to add for that day."""
        return {
            name: Uses(surfaced=count, surfaced_direct=self.direct[on, name])
            for (on, name), count in self.surfaced.items()
            if on == day
        }


class Tally:
    """The batch of one project; safe to share between threads."""

    def __init__(
        self,
        storage: Storage,
        project: int,
        name: str | None = None,
        *,
        limit: int = LIMIT,
        seconds: float = SECONDS,
    ) -> None:
        """Begin with nothing counted; where the project's name is given, others can be written."""
        self._storage, self._project, self._name = storage, project, name
        self._limit, self._seconds = limit, seconds
        self._lock = Lock()
        self._due = Event()
        self._batch = Batch()
        self._calls = 0
        self._asked: tuple[str, set[int]] = ("", set())
        self._thread: Thread | None = None
        self._closed = False

    def add(self, day: str, brought: Mapping[str, bool], question: str | None) -> None:
        """Count that these memories surfaced, id -> whether directly, and the question itself.

        A question counts once a day: it is an occasion at which others were passed over, and no
        caller makes more of those by repeating itself. None is a further page of one.
        """
        with self._lock:
            if self._closed:
                return
            if question is not None and self._is_new(day, question):
                self._batch.questions[day] += 1
            self._calls += 1
            self._batch.surfaced.update((day, name) for name in brought)
            self._batch.direct.update((day, n) for n, direct in brought.items() if direct)
            if self._calls >= self._limit:
                self._due.set()
            # a process that was forked has the object, but not the thread
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="usage", daemon=True)
                self._thread.start()

    def close(self, patience: float = PATIENCE) -> None:
        """Write what is left, unless the store is busy for too long; idempotent."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._due.set()
        if thread is not None:
            thread.join(patience)

    def _is_new(self, day: str, question: str) -> bool:
        if day != self._asked[0]:
            self._asked = (day, set())
        asked, said = self._asked[1], hash(documents.fold(question))
        new = said not in asked
        asked.add(said)
        return new

    def _run(self) -> None:
        """Write batches until there is nothing to write."""
        while True:
            self._due.wait(self._seconds)
            with self._lock:
                self._due.clear()
                batch, self._batch = self._batch, Batch()
                self._calls = 0
                if not batch:
                    self._thread = None
                    return
            written = self._written(batch)
            with self._lock:
                if self._closed:
                    return
                if not written:
                    self._batch.add(batch)

    def _written(self, batch: Batch) -> bool:
        try:
            with self._storage.write(self._name) as writer:
                for day in batch.days():
                    asked = batch.questions[day]
                    writer.add_usage(self._project, day, batch.uses(day), questions=asked)
        except (ProjectMemoryError, OSError) as error:
            logger.debug("counts of use are kept for later: %s", error)
            return False
        return True
