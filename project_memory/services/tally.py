"""Count what recall brings and where it does not help; a thread writes it, now and then.

No reader waits for a count: what cannot be written is kept for the next time, and what a crash
takes is at most one batch.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from project_memory import access, documents, services
from project_memory.errors import ProjectMemoryError
from project_memory.model import Question, Uses
from project_memory.ports import Storage, Writer

logger = logging.getLogger(__name__)

LIMIT = 64
"""Calls of recall after which a batch is written at once."""

SECONDS = 20.0
"""How long a count waits for others before it is written."""

PATIENCE = 2.0
"""Seconds that closing waits for the last batch to be written."""

KEPT = 500
"""Questions without help that are kept of a project, and that wait to be written, at most."""


@dataclass(slots=True)
class Batch:
    """Counts that are not written yet, by day (UTC)."""

    questions: Counter[str] = field(default_factory=Counter)
    surfaced: Counter[tuple[str, str]] = field(default_factory=Counter)
    direct: Counter[tuple[str, str]] = field(default_factory=Counter)
    unanswered: dict[tuple[str, str], int] = field(default_factory=dict)
    unapplied: dict[tuple[str, str], int] = field(default_factory=dict)
    """(day, question as it came) -> the revision of the project that it was asked at."""

    def __bool__(self) -> bool:
        """Return whether anything was counted."""
        return bool(self.questions or self.surfaced or self.unanswered or self.unapplied)

    def add(self, other: Batch) -> None:
        """Take the counts of another batch too."""
        self.questions += other.questions
        self.surfaced += other.surfaced
        self.direct += other.direct
        for mine, others in (
            (self.unanswered, other.unanswered),
            (self.unapplied, other.unapplied),
        ):
            for place, revision in others.items():
                if len(mine) < KEPT:
                    mine.setdefault(place, revision)

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
        self._missed: tuple[str, set[int]] = ("", set())
        self._open: dict[tuple[str, str], tuple[int, frozenset[str]]] = {}
        self._applied: set[str] = set()
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
            if question is not None:
                self._asked, new = _first(self._asked, day, question)
                self._batch.questions[day] += new
            self._calls += 1
            self._batch.surfaced.update((day, name) for name in brought)
            self._batch.direct.update((day, n) for n, direct in brought.items() if direct)
            if self._calls >= self._limit:
                self._due.set()
            self._start()

    def miss(self, day: str, question: str, revision: int) -> None:
        """Note that a question was answered "nothing relevant", once a day."""
        with self._lock:
            if self._closed:
                return
            self._missed, new = _first(self._missed, day, question)
            if new and len(self._batch.unanswered) < KEPT:
                self._batch.unanswered[day, question] = revision
                self._start()

    def hit(self, day: str, question: str, revision: int, direct: Collection[str]) -> None:
        """Take note of what a question brought directly, until its day ends or this is closed.

        Where something was applied by then, but none of that, it is noted.
        """
        with self._lock:
            self._end_days_before(day)
            if not self._closed and len(self._open) < KEPT:
                _, before = self._open.get((day, question), (revision, frozenset()))
                self._open[day, question] = revision, before | set(direct)

    def apply(self, memory_ids: Collection[str]) -> None:
        """Take note that memories helped."""
        with self._lock:
            self._applied.update(memory_ids)

    def close(self, patience: float = PATIENCE) -> None:
        """Write what is left, unless the store is busy for too long; idempotent."""
        with self._lock:
            self._end_days_before("")
            if self._batch and not self._closed:
                self._start()
            self._closed = True
            thread = self._thread
        self._due.set()
        if thread is not None:
            thread.join(patience)

    def _start(self) -> None:
        # a process that was forked has the object, but not the thread
        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=self._run, name="usage", daemon=True)
            self._thread.start()

    def _end_days_before(self, day: str) -> None:
        """Note the questions of other days none of whose hits was applied.

        A process in which nothing is ever applied, such as a command, does not tell.
        """
        if any(on != day for on, _ in self._open):
            ended = {place: held for place, held in self._open.items() if place[0] != day}
            for place, (revision, direct) in ended.items():
                if self._applied and not direct & self._applied:
                    self._batch.unapplied[place] = revision
            self._open = {place: self._open[place] for place in self._open.keys() - ended}
            self._applied.clear()

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
                if batch.unanswered or batch.unapplied:
                    _note(writer, self._project, batch)
        except (ProjectMemoryError, OSError) as error:
            logger.debug("counts of use are kept for later: %s", error)
            return False
        return True


def _first(
    seen: tuple[str, set[int]], day: str, question: str
) -> tuple[tuple[str, set[int]], bool]:
    """Return what was seen on a day with the question in it, and whether it was not there yet."""
    said = hash(documents.fold(question))
    known = seen[1] if seen[0] == day else set()
    new = said not in known
    known.add(said)
    return (day, known), new


def _note(writer: Writer, project: int, batch: Batch) -> None:
    """Keep what may be kept of the questions without help.

    What was asked before a purge is not written after it, whichever process purged.
    """
    settings = next(each.settings for each in writer.projects() if each.key == project)
    if settings.get("questions") == access.Questions.OFF:
        return
    asked = min((*batch.unanswered.values(), *batch.unapplied.values()))
    purged = max(
        (r.number for r in writer.revisions(project, after=asked) if r.operation == "purge"),
        default=0,
    )
    notes = [
        Question(services.gaps.kept_text(text), day, day, unanswered, 1 - unanswered)
        for unanswered, held in ((1, batch.unanswered), (0, batch.unapplied))
        for (day, text), revision in held.items()
        if revision >= purged
    ]
    writer.note_questions(project, [note for note in notes if note.text], KEPT)
