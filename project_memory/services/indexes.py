"""Keep one index a project, as new as the reader that asks for it."""

from __future__ import annotations

from threading import Lock

from project_memory.index import Index
from project_memory.ports import Reader


class Indexes:
    """Indexes by project key; safe to share between threads.

    An index is a value: an update makes a newer one and leaves the old to whoever reads it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._held: dict[int, Index] = {}

    def fresh(self, reader: Reader, project: int) -> Index:
        """Return the project's index at the reader's revision, or a newer one."""
        revision = reader.revision(project)
        with self._lock:
            held = self._held.get(project)
            if held is None or held.revision < revision:
                held = _caught_up(reader, project, held, revision)
                self._held[project] = held
            return held


def _caught_up(reader: Reader, project: int, held: Index | None, revision: int) -> Index:
    registry = reader.registry(project)
    since = [] if held is None else list(reader.revisions(project, after=held.revision))
    # a purge takes from history what it did
    if held is None or any(each.operation == "purge" for each in since):
        return Index.build(reader.memories(project), registry, revision)
    return held.updated([c for each in since for c in each.changes], registry, revision)
