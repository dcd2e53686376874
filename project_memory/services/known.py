"""The memories of a project as one answer reads them: each once."""

from __future__ import annotations

from project_memory.model import Memory
from project_memory.ports import Reader


class Known:
    """A `relations.Lookup` over a reader that remembers what it found."""

    def __init__(self, reader: Reader, project: int) -> None:
        self._reader = reader
        self._project = project
        self._seen: dict[str, Memory | None] = {}

    def __call__(self, memory_id: str) -> Memory | None:
        """Return the memory of this id, or None."""
        if memory_id not in self._seen:
            self._seen[memory_id] = self._reader.memory(self._project, memory_id)
        return self._seen[memory_id]

    def saying_otherwise(self, key: str, value: str) -> list[Memory]:
        """Return the memories with another value under a key of facts; see `other_values`."""
        names = self._reader.other_values(self._project, key, value)
        return [found for found in map(self, names) if found is not None]
