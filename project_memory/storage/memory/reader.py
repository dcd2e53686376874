"""The reading half of the port over dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from project_memory import documents
from project_memory.backups import Backup
from project_memory.jobs import Job
from project_memory.model import (
    Expectation,
    Handles,
    Memory,
    MemoryChange,
    Project,
    Question,
    Registry,
    Revision,
    Usage,
    Uses,
)
from project_memory.ports import CROWD
from project_memory.proposals import Proposal, State
from project_memory.sightings import Sighting
from project_memory.storage import codec, refusals
from project_memory.storage.memory.tables import URL, Tables
from project_memory.synced import Synced
from project_memory.tokens import Session, Token


class InMemoryReader:
    """See `ports.Reader`; it works until its transaction ends."""

    def __init__(self, tables: Tables) -> None:
        self._open_tables: Tables | None = tables

    def end(self) -> None:
        """Refuse every further call."""
        self._open_tables = None

    @property
    def _tables(self) -> Tables:
        if self._open_tables is None:
            raise refusals.ended(URL)
        return self._open_tables

    def projects(self) -> list[Project]:
        """See `Reader.projects`."""
        return sorted(self._tables.projects.values(), key=lambda project: project.name)

    def project(self, name: str) -> Project | None:
        """See `Reader.project`."""
        found = self.projects()
        named = [project for project in found if project.name == name]
        known = [project for project in found if name in project.repository_ids]
        return next(iter(named + known), None)

    def revision(self, project: int) -> int:
        """See `Reader.revision`."""
        found = self._tables.projects.get(project)
        return found.revision if found else 0

    def memory(self, project: int, memory_id: str) -> Memory | None:
        """See `Reader.memory`."""
        key = self._tables.keys.get((project, memory_id))
        return None if key is None else codec.memory_from_json(self._tables.memories[key].memory)

    def memories(self, project: int, ids: Iterable[str] | None = None) -> Iterator[Memory]:
        """See `Reader.memories`."""
        present = [memory_id for owner, memory_id in self._tables.keys if owner == project]
        wanted = sorted(present if ids is None else set(ids) & set(present))
        found = (self.memory(project, memory_id) for memory_id in wanted)
        return (memory for memory in found if memory is not None)

    def carriers(self, project: int, labels: Iterable[str]) -> Iterator[Memory]:
        """See `Reader.carriers`."""
        wanted = set(labels)
        found = InMemoryReader.memories(self, project)
        return (memory for memory in found if wanted.intersection(memory.document["labels"]))

    def same_text(self, project: int, digest: str) -> list[str]:
        """See `Reader.same_text`."""
        rows = [
            r for r in self._tables.memories.values() if (r.project, r.digest) == (project, digest)
        ]
        memories = (codec.memory_from_json(row.memory) for row in rows)
        return sorted(memory.id for memory in memories if not memory.archived)

    def near_text(self, project: int, bands: Iterable[int], limit: int) -> dict[str, bytes]:
        """See `Reader.near_text`."""
        rows = {
            key: row
            for key, row in sorted(self._tables.memories.items())
            if row.project == project
        }
        shared: Counter[int] = Counter()
        for band in set(bands):
            shared.update([key for key, row in rows.items() if band in row.bands][:CROWD])
        likest = sorted(shared, key=lambda key: (-shared[key], key))
        memories = ((codec.memory_from_json(rows[k].memory), rows[k].signs) for k in likest)
        found = ((memory.id, signs) for memory, signs in memories if not memory.archived)
        return dict(islice(found, limit))

    def imprints(self, project: int) -> dict[str, tuple[tuple[int, ...], bytes]]:
        """See `Reader.imprints`."""
        rows = [row for row in self._tables.memories.values() if row.project == project]
        return {
            row.id: (tuple(sorted(row.bands)), row.signs)
            for row in rows
            if row.bands and not codec.memory_from_json(row.memory).archived
        }

    def lessons(self, project: int, ids: Iterable[str]) -> dict[str, str]:
        """See `Reader.lessons`."""
        found = ((name, self.memory(project, name)) for name in ids)
        return {name: documents.lesson(one.document) for name, one in found if one is not None}

    def other_values(self, project: int, key: str, value: str) -> list[str]:
        """See `Reader.other_values`."""
        rows = [(k, r) for k, r in self._tables.memories.items() if r.project == project]
        found = []
        for memory_key, row in rows:
            memory = codec.memory_from_json(row.memory)
            for said, told in documents.fact_values(memory.document):
                if said == key and told != value and not memory.archived:
                    found.append((told, memory_key, memory.id))
        return sorted({memory_id for _, _, memory_id in sorted(found)[:CROWD]})

    def handles(self, project: int) -> dict[str, Handles]:
        """See `Reader.handles`."""
        rows = [row for row in self._tables.memories.values() if row.project == project]
        held = ((row, codec.memory_from_json(row.memory)) for row in rows)
        return {
            memory.id: Handles(
                row.digest,
                min(row.bands, default=None),
                frozenset(documents.fact_values(memory.document)),
            )
            for row, memory in held
            if not memory.archived
        }

    def registry(self, project: int) -> Registry:
        """See `Reader.registry`."""
        labels = [label for (owner, _), label in self._tables.labels.items() if owner == project]
        prefixes = (prefix for owner, prefix in self._tables.prefixes if owner == project)
        by_name = sorted(labels, key=lambda label: label.name)
        return Registry({label.name: label for label in by_name}, frozenset(prefixes))

    def expectations(self, project: int) -> list[Expectation]:
        """See `Reader.expectations`."""
        rows = self._tables.expectations.items()
        found = [
            codec.expectation_from_json(text) for (owner, _), text in rows if owner == project
        ]
        return sorted(found, key=lambda each: (each.query, each.labels or ""))

    def redirect(self, project: int, memory_id: str) -> str | None:
        """See `Reader.redirect`."""
        row = self._tables.memories.get(self._tables.redirects.get((project, memory_id), -1))
        return None if row is None else row.id

    def redirects(self, project: int) -> dict[str, str]:
        """See `Reader.redirects`."""
        old = [old for owner, old in self._tables.redirects if owner == project]
        found = {name: self.redirect(project, name) for name in old}
        return {name: present for name, present in found.items() if present is not None}

    def id_of(self, project: int, key: int) -> str | None:
        """See `Reader.id_of`."""
        row = self._tables.memories.get(key)
        return row.id if row is not None and row.project == project else None

    def last_version(self, project: int, memory_id: str) -> int:
        """See `Reader.last_version`."""
        present = self.memory(project, memory_id)
        memories = [memory for memory in self._past(project) if memory.id == memory_id]
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
        """See `Reader.revisions`."""
        numbers = sorted(n for owner, n in self._tables.revisions if owner == project)
        spanned = [n for n in numbers if after < n and (before is None or n < before)]
        found = [self._revision(project, n) for n in spanned]
        if actor is not None:
            found = [revision for revision in found if revision.actor.name == actor]
        if memory_id is not None:
            keys = self._keys_of(project, memory_id)
            found = [revision for revision in found if keys & _keys(revision)]
        return iter(
            (found[::-1] if newest_first else found)[: None if limit is None else max(0, limit)]
        )

    def mark(self, project: int, number: int) -> str | None:
        """See `Reader.mark`; nothing can put another store in the place of this one."""
        return str(number) if (project, number) in self._tables.revisions else None

    def marks(self, project: int, after: int) -> dict[int, str]:
        """See `Reader.marks`."""
        numbers = (n for key, n in self._tables.revisions if key == project and n > after)
        return {number: str(number) for number in numbers}

    def states(self, project: int, key: int) -> Iterator[Memory]:
        """See `Reader.states`."""
        found = InMemoryReader.revisions(self, project, newest_first=True)
        changes = (change for revision in found for change in revision.changes)
        touched = (c for c in changes if isinstance(c, MemoryChange) and c.key == key)
        return (change.after for change in touched if change.after is not None)

    def usage(self, project: int) -> Usage:
        """See `Reader.usage`."""
        total: dict[str, Uses] = {}
        tier: dict[str, Uses] = {}
        for memory in self.memories(project):
            rows = {t: u for (_, key, t), u in self._tables.uses.items() if key == memory.key}
            if rows:
                total[memory.id] = _summed(rows.values())
            if memory.tier in rows:
                tier[memory.id] = rows[memory.tier]
        asked = {day: n for (owner, day), n in self._tables.questions.items() if owner == project}
        return Usage(total, tier, asked)

    def questions(self, project: int) -> list[Question]:
        """See `Reader.questions`."""
        rows = self._tables.unhelped.items()
        return [question for (owner, _), question in sorted(rows) if owner == project]

    def proposal(self, project: int, number: int) -> Proposal | None:
        """See `Reader.proposal`."""
        text = self._tables.proposals.get((project, number))
        return None if text is None else codec.proposal_from_json(text)

    def proposals(self, project: int, state: State | None = None) -> Iterator[Proposal]:
        """See `Reader.proposals`."""
        rows = sorted((number, text) for (owner, number), text in self._tables.proposals.items()
                      if owner == project)  # fmt: skip
        found = (codec.proposal_from_json(text) for _, text in rows)
        return (proposal for proposal in found if state in (None, proposal.state))

    def sightings(self, project: int) -> Iterator[Sighting]:
        """See `Reader.sightings`."""
        rows = self._tables.sightings.items()
        texts = sorted((subject, code, place, text) for (owner, code, subject, place), text in rows
                       if owner == project)  # fmt: skip
        return (codec.sighting_from_json(text) for *_, text in texts)

    def tombstones(self, project: int) -> frozenset[str]:
        """See `Reader.tombstones`."""
        return frozenset(digest for owner, digest in self._tables.tombstones if owner == project)

    def store_id(self) -> str:
        """See `Reader.store_id`."""
        return self._tables.store_id

    def jobs(self) -> list[Job]:
        """See `Reader.jobs`."""
        return [job for _, job in sorted(self._tables.jobs.items())]

    def backups(self) -> list[Backup]:
        """See `Reader.backups`."""
        return sorted(self._tables.backups.values())

    def synced(self, project: int, host: str, folder: str) -> Synced | None:
        """See `Reader.synced`."""
        return self._tables.synced.get((project, host, folder))

    def owes_sweep(self) -> bool:
        """See `Reader.owes_sweep`."""
        return self._tables.owes_sweep

    def token(self, token_id: str) -> Token | None:
        """See `Reader.token`."""
        return self._tables.tokens.get(token_id)

    def tokens(self) -> list[Token]:
        """See `Reader.tokens`."""
        rows = self._tables.tokens.values()
        return sorted(rows, key=lambda one: (one.speaker.name, one.created_at, one.id))

    def session_of(self, digest: str) -> Session | None:
        """See `Reader.session_of`."""
        return self._tables.sessions.get(digest)

    def _revision(self, project: int, number: int) -> Revision:
        return codec.revision_from_json(self._tables.revisions[project, number])

    def _past(self, project: int) -> Iterator[Memory]:
        """Yield each memory as a revision left it, oldest first."""
        for revision in InMemoryReader.revisions(self, project):
            for change in revision.changes:
                memory = isinstance(change, MemoryChange) and (change.after or change.before)
                if memory:
                    yield memory

    def _keys_of(self, project: int, memory_id: str) -> set[int]:
        """Return the keys of all memories that have, or ever had, this id."""
        past = {memory.key for memory in self._past(project) if memory.id == memory_id}
        present = self._tables.keys.get((project, memory_id))
        return past if present is None else {present, *past}


def _summed(rows: Collection[Uses]) -> Uses:
    seen = [uses.last_seen for uses in rows if uses.last_seen is not None]
    return Uses(
        surfaced=sum(uses.surfaced for uses in rows),
        surfaced_direct=sum(uses.surfaced_direct for uses in rows),
        applied=sum(uses.applied for uses in rows),
        wrong=sum(uses.wrong for uses in rows),
        days=sum(uses.days for uses in rows),
        last_seen=max(seen, default=None),
    )


def _keys(revision: Revision) -> set[int]:
    return {change.key for change in revision.changes if isinstance(change, MemoryChange)}
