"""Keep one index a project, as new as the reader that asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from threading import Lock
from typing import Any

from project_memory.errors import ProjectMemoryError
from project_memory.expression import FieldTerm
from project_memory.index import BitMap, Index, Part, joined, linking_out
from project_memory.model import Memory, Registry, Revision
from project_memory.ports import Reader, Storage
from project_memory.services import snapshots
from project_memory.services.known import Reaching

BEHIND = 1000
"""An index that took in so many changes since it was kept is written again while it is in use."""

FEW = 10
"""With fewer changes it is not written at the end: a new process takes them in as soon."""

SHARE = 100
"""Nor with fewer than one in so many memories: the whole is written, however little changed."""


_EMPTY = Index.build((), Registry(), 0)


_MARKS = 256
"""Revisions whose marks are known: a slightly older reader is no restored store."""


class Indexes:
    """Indexes by project key; safe to share between threads.

    An index is a value: an update makes a newer one and leaves the old to whoever reads it.
    """

    def __init__(self, *, kept: bool = True) -> None:
        """Begin without any; where `kept`, they are kept as files between processes."""
        self._kept = kept
        self._lock = Lock()
        self._held: dict[int, Index] = {}
        self._changes: dict[int, int] = {}
        self._marks: dict[int, dict[int, str | None]] = {}
        # one value, so that a thread never reads half of it
        self._joined: tuple[tuple[Any, ...], Index] = (), _EMPTY

    def fresh(self, reader: Reader, project: int) -> Index:
        """Return the project's index at the reader's revision, or a newer one."""
        revision = reader.revision(project)
        with self._lock:
            held = self._held.get(project)
            if held is not None and not self._is_of(reader, project, held.revision, revision):
                held = None  # the store was restored from a backup while it was open
            elif held is None and self._kept:
                held = self._loaded(reader, project)
            if held is not None and self._changes.get(project, 0) >= BEHIND:
                self._keep(reader, project, held)
            if held is None or held.revision < revision:
                held = self._caught_up(reader, project, held, revision)
            self._held[project] = held
            return held

    def warm(self, reader: Reader, project: int) -> int:
        """Take in all texts of a project, keep the index, and return how many memories it has."""
        index = self.fresh(reader, project)
        with self._lock:
            index.take_in_texts()
            if self._changes.get(project):
                self._keep(reader, project, index)
        return len(index)

    def take_in(self, storage: Storage, project: int) -> None:
        """Bring the index of a project up to date, if there is one; a failure is of no matter."""
        if project in self._held:
            with suppress(ProjectMemoryError), storage.read() as reader:
                self.fresh(reader, project)

    def joined(self, reader: Reader, project: int, others: Mapping[str, int]) -> Index:
        """Return the index of a project together with what reaches it from others.

        Args:
            reader: The view.
            project: Key of the project.
            others: Name -> key of the other projects.
        """
        own = self.fresh(reader, project)
        indexes = {name: self.fresh(reader, key) for name, key in others.items()}
        state = (project, own.revision, *((key, indexes[n].revision) for n, key in others.items()))
        last, found = self._joined
        if not indexes or last == state:
            return found if indexes else own
        reach = {name: _reaching(index) for name, index in indexes.items()}
        parts = [
            Part(n, key, indexes[n], reach[n], _told(reader, key, indexes[n], reach[n]))
            for n, key in others.items()
            if reach[n]
        ]
        made = joined(own, parts) if parts else own
        self._joined = state, made
        return made

    def close(self, storage: Storage) -> None:
        """Keep what is worth it for the next process."""
        with self._lock, suppress(ProjectMemoryError):
            due = [key for key in self._changes if self._is_due(key)]
            if due:
                with storage.read() as reader:
                    for project in due:
                        self._keep(reader, project, self._held[project])
                with storage.read() as later:
                    for project in due:
                        # ... nor what was purged while it was written
                        held = self._held[project]
                        if _has_purge(later.revisions(project, after=held.revision)):
                            snapshots.remove(later, project)

    def _is_due(self, project: int) -> bool:
        changes = self._changes[project]
        return changes >= FEW and changes * SHARE >= len(self._held[project])

    def _is_of(self, reader: Reader, project: int, held: int, revision: int) -> bool:
        """Return whether a reader's revision is before or after the one held, in one history."""
        both = min(held, revision)
        if not both:  # before the first revision nothing tells one project from another
            return held == revision
        known = self._marks[project].get(both)
        return held == revision or known == reader.mark(project, both)

    def _loaded(self, reader: Reader, project: int) -> Index | None:
        found = snapshots.load(reader, project)
        if found is not None:
            mark = reader.mark(project, found.revision)
            self._marks[project] = {found.revision: mark}
        return found

    def _caught_up(self, reader: Reader, project: int, held: Index | None, revision: int) -> Index:
        registry = reader.registry(project)
        since = [] if held is None else list(reader.revisions(project, after=held.revision))
        # a purge takes from history what it did
        if held is None or _has_purge(since):
            built = Index.build(reader.memories(project), registry, revision)
            self._changes[project] = len(built)
            self._marks[project] = {revision: reader.mark(project, revision)}
            return built
        marks = self._marks[project]
        marks |= reader.marks(project, max(held.revision, revision - _MARKS))
        for number in sorted(marks)[:-_MARKS]:
            del marks[number]
        changes = [change for each in since for change in each.changes]
        self._changes[project] = self._changes.get(project, 0) + len(changes)
        return held.updated(changes, registry, revision)

    def _keep(self, reader: Reader, project: int, index: Index) -> None:
        # who only searches must not wait until the texts are analysed
        if not index.has_ranked:
            return
        # what was purged since must not be kept in a file
        if _has_purge(reader.revisions(project, after=index.revision)):
            return
        self._changes[project] = 0
        if self._kept and len(index) >= snapshots.WORTH:
            snapshots.save(reader, project, index)


def _has_purge(revisions: Iterable[Revision]) -> bool:
    return any(revision.operation == "purge" for revision in revisions)


def _reaching(index: Index) -> BitMap:
    """Return the memories of a project that other projects see."""
    return index.select(FieldTerm("reach", "everywhere"), today=date.min, texts=lambda _: ())


def _told(reader: Reader, project: int, index: Index, reach: BitMap) -> tuple[Memory, ...]:
    """Return the memories that link to what stays in the project, as others are told them."""
    reaching = Reaching(reader, project)
    found = map(reaching, linking_out(index, reach))
    return tuple(replace(each, document=reaching.told(each.document)) for each in found if each)
