"""The memories of a project as one answer reads them: each once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from project_memory import documents
from project_memory.model import Document, Memory
from project_memory.ports import Reader
from project_memory.services import history


class Known:
    """A `relations.Lookup` over a reader that remembers what it found."""

    def __init__(
        self, reader: Reader, project: int, others: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        """Begin without any; `others` are the keys of other projects that answer, by name."""
        self._reader = reader
        self._project = project
        self._others = {name: Reaching(reader, key) for name, key in others.items()}
        self._seen: dict[str, Memory | None] = {}
        self._otherwise: dict[tuple[str, str], list[str]] = {}

    def __call__(self, memory_id: str) -> Memory | None:
        """Return the memory of this id, or None."""
        if memory_id not in self._seen:
            self._seen[memory_id] = self._reader.memory(self._project, memory_id)
        return self._seen[memory_id]

    def read(self, ids: Iterable[str]) -> None:
        """Read memories that are asked for next, together where the store can."""
        fresh = {name for name in ids if name not in self._seen}
        self._seen |= dict.fromkeys(fresh)
        self._seen |= {found.id: found for found in self._reader.memories(self._project, fresh)}

    def present(self, memory_id: str) -> Memory:
        """Return the memory of this id, or of one that it had before.

        Raises:
            NotFound: there is none.
        """
        return history.present(self._reader, self._project, memory_id)

    def of(self, project: str | None) -> Known:
        """Return the memories of another project that answers; None for the own one."""
        return self if project is None else self._others[project]

    def saying_otherwise(self, key: str, value: str) -> list[Memory]:
        """Return the memories with another value under a key of facts; see `other_values`."""
        names = self._otherwise.get((key, value))
        if names is None:
            names = self._reader.other_values(self._project, key, value)
            self._otherwise[key, value] = names
        return [found for found in map(self, names) if found is not None]

    def told(self, document: Document) -> Document:
        """Return a document as these memories are told: without links to what is not there."""
        links = [link for link in documents.links(document) if self(link.target) is not None]
        return documents.with_links(document, links)


class Reaching(Known):
    """Of another project, the memories that reach everywhere; the others are not there."""

    def __call__(self, memory_id: str) -> Memory | None:
        """Return the memory of this id if it reaches everywhere, or None."""
        found = super().__call__(memory_id)
        reach = found.document["scope"].get("reach") if found else None
        return found if reach == "everywhere" else None
