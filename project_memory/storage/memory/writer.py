"""The writing half of the port over dictionaries."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from project_memory.backups import Backup
from project_memory.errors import Conflict, MemoryExists
from project_memory.jobs import Job
from project_memory.model import Expectation, Label, Memory, Project, Question, Revision, Uses
from project_memory.proposals import Proposal
from project_memory.sightings import Sighting
from project_memory.storage import codec, refusals
from project_memory.storage.memory.reader import InMemoryReader
from project_memory.storage.memory.tables import Row, Tables
from project_memory.synced import Synced
from project_memory.tokens import Enrollment, Session, Token


class InMemoryWriter(InMemoryReader):
    """See `ports.Writer`; it changes tables that nobody else has."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._displaced: dict[int, str] = {}

    def put_project(
        self,
        name: str,
        repository_ids: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> Project:
        """See `Writer.put_project`."""
        codec.storable(name)
        projects = self._tables.projects
        old = next((project for project in projects.values() if project.name == name), None)
        base = old or Project(self._tables.last_project + 1, name)
        self._tables.last_project = max(self._tables.last_project, base.key)
        ids = tuple(sorted(set(repository_ids)))
        for repository_id in ids:
            self._check_claim(repository_id, base)
        if settings is not None:
            settings = MappingProxyType(json.loads(codec.to_json(settings)))
        kept = base.settings if settings is None else settings
        project = dataclasses.replace(base, repository_ids=ids, settings=kept)
        projects[project.key] = project
        return project

    def rename_project(self, project: int, name: str) -> None:
        """See `Writer.rename_project`."""
        owner = self.project(codec.storable(name))
        if owner is not None and owner.key != project:
            raise refusals.name_taken(name, owner.name)
        held = self._tables.projects[project]
        self._tables.projects[project] = dataclasses.replace(held, name=name)

    def archive_project(self, project: int, archived_at: str | None) -> None:
        """See `Writer.archive_project`."""
        held = self._tables.projects[project]
        self._tables.projects[project] = dataclasses.replace(held, archived_at=archived_at)

    def remove_project(self, project: int) -> None:
        """See `Writer.remove_project`."""
        tables = self._tables
        tables.last_key = self.next_keys(1)[0]
        del tables.projects[project]
        for key in [key for key, row in tables.memories.items() if row.project == project]:
            del tables.memories[key]
        for rows in vars(tables).values():  # what is of a project has its key first
            for place in list(rows) if isinstance(rows, dict) else ():
                if isinstance(place, tuple) and place[0] == project:
                    del rows[place]

    def next_key(self) -> int:
        """See `Writer.next_key`."""
        return self.next_keys(1)[0]

    def next_keys(self, count: int) -> range:
        """See `Writer.next_keys`."""
        tables = self._tables
        first = 1 + max(tables.last_key, *tables.memories, 0)
        tables.last_key = first + count - 1
        return range(first, first + count)

    def put_memory(
        self,
        project: int,
        memory: Memory,
        digest: str,
        bands: Iterable[int] | None = None,
        signs: bytes = b"",
    ) -> None:
        """See `Writer.put_memory`."""
        tables = self._tables
        old = tables.memories.get(memory.key)
        assert old is None or old.project == project, "a key belongs to one project"
        self._forget_id(memory.key)
        other = tables.keys.get((project, memory.id))
        if other is not None:
            self._displaced[other] = memory.id
        text = codec.memory_to_json(memory)
        row = Row(project, memory.id, digest, text)
        if bands is not None:
            row = dataclasses.replace(row, bands=frozenset(bands), signs=signs)
        elif old is not None:
            row = dataclasses.replace(row, bands=old.bands, signs=old.signs)
        tables.memories[memory.key] = row
        tables.keys[project, memory.id] = memory.key

    def remove_memory(self, project: int, key: int) -> None:
        """See `Writer.remove_memory`."""
        row = self._tables.memories.get(key)
        if row is not None and row.project == project:
            self._forget_id(key)
            del self._tables.memories[key]

    def put_label(self, project: int, label: Label) -> None:
        """See `Writer.put_label`."""
        codec.label_to_json(label)
        self._tables.labels[project, label.name] = label

    def remove_label(self, project: int, name: str) -> None:
        """See `Writer.remove_label`."""
        self._tables.labels.pop((project, name), None)

    def put_prefix(self, project: int, prefix: str, *, single: bool) -> None:
        """See `Writer.put_prefix`."""
        if single:
            self._tables.prefixes[project, codec.storable(prefix)] = True
        else:
            self._tables.prefixes.pop((project, prefix), None)

    def put_expectation(self, project: int, expectation: Expectation) -> None:
        """See `Writer.put_expectation`."""
        text = codec.expectation_to_json(expectation)
        self._tables.expectations[project, expectation.id] = text

    def remove_expectation(self, project: int, expectation_id: str) -> None:
        """See `Writer.remove_expectation`."""
        self._tables.expectations.pop((project, expectation_id), None)

    def put_redirect(self, project: int, old_id: str, key: int | None) -> None:
        """See `Writer.put_redirect`."""
        if key is None:
            self._tables.redirects.pop((project, old_id), None)
        else:
            self._tables.redirects[project, codec.storable(old_id)] = key

    def append_revision(self, project: int, revision: Revision) -> None:
        """See `Writer.append_revision`."""
        last = self.revision(project)
        if revision.number != last + 1:
            raise Conflict(
                f"revision {revision.number} cannot follow revision {last}; "
                "read the project again and repeat the change"
            )
        self._tables.revisions[project, revision.number] = codec.revision_to_json(revision)
        moved = dataclasses.replace(self._tables.projects[project], revision=revision.number)
        self._tables.projects[project] = moved

    def add_usage(
        self, project: int, day: str, uses: Mapping[str, Uses], *, questions: int = 0
    ) -> None:
        """See `Writer.add_usage`."""
        tables = self._tables
        for memory_id, given in uses.items():
            place = (project, memory_id)
            row = tables.memories.get(tables.keys.get(place, tables.redirects.get(place, -1)))
            if row is not None:
                memory = codec.memory_from_json(row.memory)
                held = (project, memory.key, memory.tier)
                added = _added(tables.uses.get(held, Uses()), given, day)
                if added != Uses():
                    tables.uses[held] = added
        if questions:
            asked = tables.questions.get((project, day), 0)
            tables.questions[project, day] = asked + questions

    def note_questions(self, project: int, notes: Iterable[Question], limit: int) -> int:
        """See `Writer.note_questions`."""
        rows = self._tables.unhelped
        for note in notes:
            place = (project, codec.storable(note.text))
            rows[place] = rows[place].together(note) if place in rows else note
        standing = sorted(self.questions(project), key=lambda one: one.last_day, reverse=True)
        standing.sort(key=lambda one: -one.unanswered - one.unapplied)
        dropped = [question.text for question in standing[limit:]]
        self.forget_questions(project, dropped)
        return len(dropped)

    def forget_questions(self, project: int, texts: Iterable[str] | None = None) -> None:
        """See `Writer.forget_questions`."""
        known = (text for owner, text in tuple(self._tables.unhelped) if owner == project)
        for text in known if texts is None else texts:
            self._tables.unhelped.pop((project, text), None)

    def next_proposal(self, project: int) -> int:
        """See `Writer.next_proposal`."""
        return 1 + max((n for owner, n in self._tables.proposals if owner == project), default=0)

    def put_proposal(self, project: int, proposal: Proposal) -> None:
        """See `Writer.put_proposal`."""
        self._tables.proposals[project, proposal.number] = codec.proposal_to_json(proposal)

    def put_sighting(self, project: int, sighting: Sighting) -> None:
        """See `Writer.put_sighting`."""
        self._tables.sightings[project, *sighting.key] = codec.sighting_to_json(sighting)

    def remove_sightings(self, project: int, subject: str) -> None:
        """See `Writer.remove_sightings`."""
        for key in tuple(self._tables.sightings):
            if (key[0], key[2]) == (project, subject):
                del self._tables.sightings[key]

    def rewrite_history(self, project: int, rewrite: Callable[[Revision], Revision]) -> None:
        """See `Writer.rewrite_history`."""
        for old in list(self.revisions(project)):
            new = rewrite(old)
            assert new.number == old.number, "a revision keeps its number"
            self._tables.revisions[project, old.number] = codec.revision_to_json(new)

    def forget(self, project: int, key: int) -> None:
        """See `Writer.forget`."""
        tables = self._tables
        for row in [row for row in tables.uses if row[:2] == (project, key)]:
            del tables.uses[row]
        for (owner, old_id), target in list(tables.redirects.items()):
            if (owner, target) == (project, key):
                del tables.redirects[owner, old_id]

    def put_tombstone(self, project: int, digest: str) -> None:
        """See `Writer.put_tombstone`."""
        self._tables.tombstones[project, digest] = True

    def take_job(self, job: Job, now: str, since: str | None = None) -> Job | None:
        """See `Writer.take_job`."""
        place = (job.project, job.kind.value)
        held = self._tables.jobs.setdefault(place, Job(job.project, job.kind))
        if held.is_held(now) or not (since is None or held.is_due(now, since)):
            return None
        taken = dataclasses.replace(
            held, worker=job.worker, leased_until=job.leased_until, started_at=now
        )
        self._tables.jobs[place] = taken
        return taken

    def renew_job(self, job: Job) -> bool:
        """See `Writer.renew_job`."""
        return self._has(job, leased_until=job.leased_until)

    def end_job(self, job: Job) -> bool:
        """See `Writer.end_job`."""
        outcome = dataclasses.replace(job, worker=None, leased_until=None)
        names = ("succeeded_at", "due_at", "failures", "failing_since", "error", "result")
        codec.to_json([job.error, job.result])
        kept = {name: getattr(outcome, name) for name in names}
        return self._has(job, worker=None, leased_until=None, **kept)

    def put_backup(self, backup: Backup) -> None:
        """See `Writer.put_backup`."""
        codec.storable(backup.file)
        self._tables.backups[backup.host, backup.file] = backup

    def remove_backup(self, host: str, file: str) -> None:
        """See `Writer.remove_backup`."""
        self._tables.backups.pop((host, file), None)

    def put_synced(self, synced_with: Synced) -> None:
        """See `Writer.put_synced`."""
        codec.storable(synced_with.folder)
        key = (synced_with.project, synced_with.host, synced_with.folder)
        self._tables.synced[key] = synced_with

    def owe_sweep(self) -> None:
        """See `Writer.owe_sweep`."""
        self._tables.owes_sweep = True

    def put_token(self, token: Token) -> None:
        """See `Writer.put_token`."""
        self._tables.tokens[token.id] = token

    def put_enrollment(self, enrollment: Enrollment) -> None:
        """See `Writer.put_enrollment`."""
        self._tables.enrollments[enrollment.digest] = enrollment

    def void_codes_and_sessions(self) -> None:
        """See `Writer.void_codes_and_sessions`."""
        self._tables.enrollments.clear()
        self._tables.sessions.clear()

    def redeem(self, digest: str, now: str) -> Enrollment | None:
        """See `Writer.redeem`."""
        found = self._tables.enrollments.get(digest)
        if found is None or found.expires_at <= now:
            return None
        return self._tables.enrollments.pop(digest)

    def put_session(self, session: Session) -> None:
        """See `Writer.put_session`."""
        self._tables.sessions[session.digest] = session

    def remove_session(self, digest: str) -> None:
        """See `Writer.remove_session`."""
        self._tables.sessions.pop(digest, None)

    def remove_expired_sessions(self, now: str) -> None:
        """See `Writer.remove_expired_sessions`."""
        kept = {k: s for k, s in self._tables.sessions.items() if s.expires_at > now}
        self._tables.sessions = kept

    def check_ids(self) -> None:
        """Refuse to commit while two memories claim one id.

        Raises:
            MemoryExists: a memory lost its id to another one and got none in return.
        """
        for memory_id in sorted(self._displaced.values()):
            raise MemoryExists(
                memory_id, f"memory '{memory_id}' exists already; choose another id"
            )

    def _has(self, job: Job, **changed: Any) -> bool:
        """Change a job that its worker has; return whether it has it."""
        place = (job.project, job.kind.value)
        held = self._tables.jobs.get(place)
        if held is None or held.worker != job.worker:
            return False
        self._tables.jobs[place] = dataclasses.replace(held, **changed)
        return True

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
                "use that project, or take it away first with `project-memory --project "
                f"{owner.name} project remove-repo {repository_id}`"
            )


def _added(held: Uses, given: Uses, day: str) -> Uses:
    seen = held.last_seen
    later = bool(given.surfaced) and (
        seen is None or day > seen or seen > codec.latest_believed(day)
    )
    return Uses(
        held.surfaced + given.surfaced,
        held.surfaced_direct + given.surfaced_direct,
        held.applied + given.applied,
        held.wrong + given.wrong,
        held.days + later,
        day if later else held.last_seen,
    )
