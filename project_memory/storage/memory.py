"""The fake: a store in this process's memory, for tests and demonstrations."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from project_memory.errors import Conflict, MemoryExists, StorageBusy, StorageError
from project_memory.model import Label, Memory, MemoryChange, Project, Registry, Revision
from project_memory.ports import Reader, Writer
from project_memory.storage import codec

_URL = "inmemory://"


@dataclass
class _Row:
    project: int
    id: str
    digest: str
    memory: str


@dataclass
class _Tables:
    """Everything stored; values are immutable or text, so that a shallow copy is a snapshot."""

    store_id: str = field(default_factory=lambda: token_hex(16))
    last_key: int = 0
    projects: dict[int, Project] = field(default_factory=dict)
    labels: dict[tuple[int, str], Label] = field(default_factory=dict)
    prefixes: dict[tuple[int, str], bool] = field(default_factory=dict)
    memories: dict[int, _Row] = field(default_factory=dict)
    keys: dict[tuple[int, str], int] = field(default_factory=dict)
    redirects: dict[tuple[int, str], int] = field(default_factory=dict)
    revisions: dict[tuple[int, int], str] = field(default_factory=dict)
    usage: dict[tuple[int, int, str], int] = field(default_factory=dict)

    def copy(self) -> _Tables:
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return _Tables(**{k: dict(v) if isinstance(v, dict) else v for k, v in values.items()})


class InMemoryStorage:
    """See `ports.Storage`; each instance is a store of its own, gone with it."""

    def __init__(self, *, busy_timeout: float = 30.0) -> None:
        self._tables = _Tables()
        self._seconds = busy_timeout
        self._turn = threading.Lock()
        self._closed = False

    @property
    def url(self) -> str:
        """See `Storage.url`."""
        return _URL

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """See `Storage.read`."""
        self._check_open()
        reader = _Reader(self._tables)
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
                f"store '{_URL}' is busy, another writer has held it for too long; "
                "repeat the command"
            )
        try:
            tables = self._tables.copy()
            writer = _Writer(tables)
            try:
                yield writer
                writer.check_ids()
            finally:
                writer.end()
            self._tables = tables
        finally:
            self._turn.release()

    def close(self) -> None:
        """See `Storage.close`."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StorageError(f"store '{_URL}' is closed; open it again")


class _Reader:
    def __init__(self, tables: _Tables) -> None:
        self._open_tables: _Tables | None = tables

    def end(self) -> None:
        self._open_tables = None

    @property
    def _tables(self) -> _Tables:
        if self._open_tables is None:
            raise StorageError(f"this view of store '{_URL}' has ended; open another one")
        return self._open_tables

    def projects(self) -> list[Project]:
        return sorted(self._tables.projects.values(), key=lambda project: project.name)

    def project(self, name: str) -> Project | None:
        found = self.projects()
        named = [project for project in found if project.name == name]
        known = [project for project in found if name in project.repository_ids]
        return next(iter(named + known), None)

    def revision(self, project: int) -> int:
        found = self._tables.projects.get(project)
        return found.revision if found else 0

    def memory(self, project: int, memory_id: str) -> Memory | None:
        key = self._tables.keys.get((project, memory_id))
        return None if key is None else codec.memory_from_json(self._tables.memories[key].memory)

    def memories(self, project: int, ids: Iterable[str] | None = None) -> Iterator[Memory]:
        present = [memory_id for owner, memory_id in self._tables.keys if owner == project]
        wanted = sorted(present if ids is None else set(ids) & set(present))
        found = (self.memory(project, memory_id) for memory_id in wanted)
        return (memory for memory in found if memory is not None)

    def same_text(self, project: int, digest: str) -> list[str]:
        rows = [
            r for r in self._tables.memories.values() if (r.project, r.digest) == (project, digest)
        ]
        memories = (codec.memory_from_json(row.memory) for row in rows)
        return sorted(memory.id for memory in memories if not memory.archived)

    def registry(self, project: int) -> Registry:
        labels = [label for (owner, _), label in self._tables.labels.items() if owner == project]
        prefixes = (prefix for owner, prefix in self._tables.prefixes if owner == project)
        by_name = sorted(labels, key=lambda label: label.name)
        return Registry({label.name: label for label in by_name}, frozenset(prefixes))

    def redirect(self, project: int, memory_id: str) -> str | None:
        row = self._tables.memories.get(self._tables.redirects.get((project, memory_id), -1))
        return None if row is None else row.id

    def last_version(self, project: int, memory_id: str) -> int:
        present = self.memory(project, memory_id)
        memories = [memory for _, memory in self._past(project) if memory.id == memory_id]
        return max((m.version for m in [*memories, *([present] if present else [])]), default=0)

    def revisions(
        self,
        project: int,
        *,
        after: int = 0,
        before: int | None = None,
        memory_id: str | None = None,
        actor: str | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> Iterator[Revision]:
        numbers = sorted(n for owner, n in self._tables.revisions if owner == project)
        spanned = [n for n in numbers if after < n and (before is None or n < before)]
        found = [self._revision(project, n) for n in spanned]
        if actor is not None:
            found = [revision for revision in found if revision.actor.name == actor]
        if memory_id is not None:
            key = self._key_of(project, memory_id)
            found = [revision for revision in found if key in _keys(revision)]
        return iter(
            (found[::-1] if newest_first else found)[: None if limit is None else max(0, limit)]
        )

    def usage(self, project: int) -> Mapping[str, Mapping[str, int]]:
        counts: dict[str, dict[str, int]] = {}
        for (owner, key, counter), count in sorted(self._tables.usage.items()):
            row = self._tables.memories.get(key)
            if owner == project and row is not None and count:
                counts.setdefault(row.id, {})[counter] = count
        return counts

    def store_id(self) -> str:
        return self._tables.store_id

    def _revision(self, project: int, number: int) -> Revision:
        return codec.revision_from_json(self._tables.revisions[project, number])

    def _past(self, project: int) -> Iterator[tuple[int, Memory]]:
        """Yield each memory as a revision left it, oldest first, with its key."""
        for revision in self._reader_revisions(project):
            for change in revision.changes:
                memory = isinstance(change, MemoryChange) and (change.after or change.before)
                if memory:
                    yield memory.key, memory

    def _reader_revisions(self, project: int) -> Iterator[Revision]:
        return _Reader.revisions(self, project)

    def _key_of(self, project: int, memory_id: str) -> int | None:
        present = self._tables.keys.get((project, memory_id))
        past = [key for key, memory in self._past(project) if memory.id == memory_id]
        return present if present is not None else next(reversed(past), None)


class _Writer(_Reader):
    def __init__(self, tables: _Tables) -> None:
        super().__init__(tables)
        self._displaced: dict[int, str] = {}

    def put_project(
        self,
        name: str,
        repository_ids: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> Project:
        codec.storable(name)
        projects = self._tables.projects
        old = next((project for project in projects.values() if project.name == name), None)
        base = old or Project(len(projects) + 1, name)
        ids = tuple(sorted(set(repository_ids)))
        for repository_id in ids:
            self._check_claim(repository_id, base)
        kept = base.settings if settings is None else json.loads(codec.to_json(settings))
        project = dataclasses.replace(base, repository_ids=ids, settings=kept)
        projects[project.key] = project
        return project

    def next_key(self) -> int:
        tables = self._tables
        tables.last_key = 1 + max(tables.last_key, *tables.memories, 0)
        return tables.last_key

    def put_memory(self, project: int, memory: Memory, digest: str) -> None:
        tables = self._tables
        old = tables.memories.get(memory.key)
        assert old is None or old.project == project, "a key belongs to one project"
        self._forget_id(memory.key)
        other = tables.keys.get((project, memory.id))
        if other is not None:
            self._displaced[other] = memory.id
        tables.memories[memory.key] = _Row(
            project, memory.id, digest, codec.memory_to_json(memory)
        )
        tables.keys[project, memory.id] = memory.key

    def remove_memory(self, project: int, key: int) -> None:
        self._forget_id(key)
        self._tables.memories.pop(key, None)

    def put_label(self, project: int, label: Label) -> None:
        codec.label_to_json(label)
        self._tables.labels[project, label.name] = label

    def remove_label(self, project: int, name: str) -> None:
        self._tables.labels.pop((project, name), None)

    def put_prefix(self, project: int, prefix: str, *, single: bool) -> None:
        if single:
            self._tables.prefixes[project, codec.storable(prefix)] = True
        else:
            self._tables.prefixes.pop((project, prefix), None)

    def put_redirect(self, project: int, old_id: str, key: int | None) -> None:
        if key is None:
            self._tables.redirects.pop((project, old_id), None)
        else:
            self._tables.redirects[project, codec.storable(old_id)] = key

    def append_revision(self, project: int, revision: Revision) -> None:
        last = self.revision(project)
        if revision.number != last + 1:
            raise Conflict(
                f"revision {revision.number} cannot follow revision {last}; "
                "read the project again and repeat the change"
            )
        self._tables.revisions[project, revision.number] = codec.revision_to_json(revision)
        moved = dataclasses.replace(self._tables.projects[project], revision=revision.number)
        self._tables.projects[project] = moved

    def add_usage(self, project: int, counts: Mapping[str, Mapping[str, int]]) -> None:
        tables = self._tables
        for memory_id, increments in counts.items():
            place = (project, memory_id)
            key = tables.keys.get(place, tables.redirects.get(place))
            for counter, increment in increments.items() if key else ():
                total = tables.usage.get((project, key, counter), 0) + increment
                tables.usage[project, key, counter] = total

    def check_ids(self) -> None:
        for memory_id in sorted(self._displaced.values()):
            raise MemoryExists(
                memory_id, f"memory '{memory_id}' exists already; choose another id"
            )

    def _forget_id(self, key: int) -> None:
        self._displaced.pop(key, None)
        row = self._tables.memories.get(key)
        if row is not None and self._tables.keys.get((row.project, row.id)) == key:
            del self._tables.keys[row.project, row.id]

    def _check_claim(self, repository_id: str, project: Project) -> None:
        owner = self.project(codec.storable(repository_id))
        if owner is not None and owner.key != project.key:
            raise Conflict(
                f"repository '{repository_id}' belongs to project '{owner.name}' already; "
                "use that project, or take the repository from it first"
            )


def _keys(revision: Revision) -> set[int]:
    return {change.key for change in revision.changes if isinstance(change, MemoryChange)}
