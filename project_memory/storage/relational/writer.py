"""The writing half of the port over a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import add
from secrets import token_hex
from typing import Any, TypeAlias

from project_memory import documents
from project_memory.backups import Backup
from project_memory.errors import Conflict, MemoryExists
from project_memory.jobs import Job
from project_memory.model import Expectation, Label, Memory, Project, Question, Revision, Uses
from project_memory.proposals import Proposal
from project_memory.sightings import Sighting
from project_memory.storage import refusals
from project_memory.storage.codec import (
    expectation_to_json,
    proposal_to_json,
    sighting_to_json,
    to_json,
)
from project_memory.storage.relational import bands as packing
from project_memory.storage.relational import changes, jobs, synced, tokens
from project_memory.storage.relational.reader import RelationalReader
from project_memory.storage.relational.session import Session
from project_memory.synced import Synced
from project_memory.tokens import Enrollment, Token
from project_memory.tokens import Session as LoggedIn

_COLUMNS = """id, digest, document, own_status, version, links_version, created_at, updated_at,
    author, asserted_by, archived_at, pinned, tier, declared, tier_since"""
_CHANGE_MEMORY = f"""UPDATE memories SET ({_COLUMNS})
    = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE key = ? AND project = ?"""
_CHANGE_UNDER_ID = f"{_CHANGE_MEMORY} AND id = ?"
_ADD_MEMORY = f"""INSERT INTO memories ({_COLUMNS}, key, project)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_ADD_UNDER_FREE_ID = f"{_ADD_MEMORY} ON CONFLICT (project, id) DO NOTHING"

_LABEL = "project, name, description, aliases, broader, deprecated, replaced_by"
Counts: TypeAlias = tuple[int, int, int, int]
"""What is added to the counters of a memory, in the order of `_COUNTS`."""

_COUNTS = "surfaced, surfaced_direct, applied, wrong"
USES = f"uses (project, memory_key, tier, {_COUNTS}, days, last_seen)"
ON_USES = """ON CONFLICT (project, memory_key, tier) DO UPDATE SET
        surfaced = uses.surfaced + excluded.surfaced,
        surfaced_direct = uses.surfaced_direct + excluded.surfaced_direct,
        applied = uses.applied + excluded.applied, wrong = uses.wrong + excluded.wrong,
        days = uses.days
            + CASE WHEN excluded.last_seen > coalesce(uses.last_seen, '')
            OR (excluded.days > 0 AND uses.last_seen > ?) THEN 1 ELSE 0 END,
        last_seen = CASE WHEN excluded.last_seen > coalesce(uses.last_seen, '')
            OR (excluded.days > 0 AND uses.last_seen > ?)
            THEN excluded.last_seen ELSE uses.last_seen END"""
"""What becomes of a counter that is there; the latest day that is believed is given twice."""

_NOTES = "unhelped_questions (project, text, first_day, last_day, unanswered, unapplied)"
_ON_NOTES = """ON CONFLICT (project, text) DO UPDATE SET
        first_day = CASE WHEN excluded.first_day < unhelped_questions.first_day
            THEN excluded.first_day ELSE unhelped_questions.first_day END,
        last_day = CASE WHEN excluded.last_day > unhelped_questions.last_day
            THEN excluded.last_day ELSE unhelped_questions.last_day END,
        unanswered = unhelped_questions.unanswered + excluded.unanswered,
        unapplied = unhelped_questions.unapplied + excluded.unapplied"""
_KEEP = """DELETE FROM unhelped_questions WHERE project = ? AND text NOT IN (
    SELECT text FROM unhelped_questions WHERE project = ?
    ORDER BY unanswered + unapplied DESC, last_day DESC, text LIMIT ?)"""


class RelationalWriter(RelationalReader, ABC):
    """See `ports.Writer`; a back end adds what no statement says in all of them."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._displaced: dict[int, str] = {}
        self._unused: set[int] = set()

    def put_project(
        self,
        name: str,
        repository_ids: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> Project:
        """See `Writer.put_project`."""
        self._add_project(name)
        project = self.project(name)
        assert project is not None
        if settings is not None:
            sql = "UPDATE projects SET settings = ? WHERE key = ?"
            self.session.run(sql, (to_json(settings), project.key))
        self.session.run("DELETE FROM repository_ids WHERE project = ?", (project.key,))
        for repository_id in sorted(set(repository_ids)):
            self._claim(repository_id, project)
        stored = self.project(name)
        assert stored is not None
        return stored

    def rename_project(self, project: int, name: str) -> None:
        """See `Writer.rename_project`."""
        owner = self.project(name)
        if owner is not None and owner.key != project:
            raise refusals.name_taken(name, owner.name)
        self.session.run("UPDATE projects SET name = ? WHERE key = ?", (name, project))

    def archive_project(self, project: int, archived_at: str | None) -> None:
        """See `Writer.archive_project`."""
        sql = "UPDATE projects SET archived_at = ? WHERE key = ?"
        self.session.run(sql, (archived_at, project))

    def remove_project(self, project: int) -> None:
        """See `Writer.remove_project`."""
        self._retire_keys(self.last_key(), self.last_project())
        for table in reversed(self.TABLES):
            if "project" in table.columns[table.implied :]:
                self.session.run(f"DELETE FROM {table.name} WHERE project = ?", (project,))
        self.session.run("DELETE FROM projects WHERE key = ?", (project,))

    def next_key(self) -> int:
        """See `Writer.next_key`."""
        return self.next_keys(1)[0]

    def next_keys(self, count: int) -> range:
        """See `Writer.next_keys`."""
        keys = self._given(count)
        self._unused.update(keys)
        return keys

    @abstractmethod
    def _given(self, count: int) -> range:
        """Return so many memory keys that were never used before, ascending."""

    @abstractmethod
    def start_after(self, last_key: int) -> None:
        """Let what is added next have keys that nothing in the tables has, or had."""

    def _add_project(self, name: str) -> None:
        """Insert a project of this name unless there is one."""
        sql = "INSERT INTO projects (name) VALUES (?) ON CONFLICT DO NOTHING"
        self.session.run(sql, (name,))

    def _retire_keys(self, last_key: int, last_project: int) -> None:
        """Let nothing that is added next have a key up to these."""
        sql = "UPDATE store SET value = ? WHERE name = 'last_project'"
        self.session.run(sql, (str(last_project),))
        self.start_after(last_key)

    def clear(self) -> None:
        """Remove every row of every table; what the store is called stays."""
        for table in reversed(self.TABLES):
            self.session.run(f"DELETE FROM {table.name}")

    def adopt(self, store_id: str, last_key: int, last_project: int) -> None:
        """Become the store of another identity, whose rows the tables hold."""
        self.session.run("UPDATE store SET value = ? WHERE name = 'id'", (store_id,))
        self._retire_keys(last_key, last_project)

    def put_memory(
        self,
        project: int,
        memory: Memory,
        digest: str,
        bands: Iterable[int] | None = None,
        signs: bytes = b"",
    ) -> None:
        """See `Writer.put_memory`."""
        row = (
            memory.id,
            digest,
            to_json(memory.document),
            memory.own_status.value,
            memory.version,
            memory.links_version,
            memory.created_at,
            memory.updated_at,
            memory.author,
            memory.asserted_by.value,
            memory.archived_at,
            memory.pinned,
            memory.tier,
            to_json(memory.declared),
            memory.tier_since,
            memory.key,
            project,
        )
        # a key that was just given has nothing to look for, and its id is rarely taken
        if memory.key not in self._unused or not self.session.run(_ADD_UNDER_FREE_ID, row):
            self._put_row(project, memory, row, imprinted=bands is not None)
        self._unused.discard(memory.key)
        self._put_values(project, memory)
        if bands is not None:
            self._put_imprint(project, memory.key, set(bands), signs)

    def remove_memory(self, project: int, key: int) -> None:
        """See `Writer.remove_memory`."""
        self._remove_imprint(project, key)
        self.session.run("DELETE FROM memories WHERE project = ? AND key = ?", (project, key))
        self._displaced.pop(key, None)

    def put_label(self, project: int, label: Label) -> None:
        """See `Writer.put_label`."""
        row = (
            project,
            label.name,
            label.description,
            to_json(label.aliases),
            label.broader,
            label.deprecated,
            label.replaced_by,
        )
        self.session.run(_put("labels", _LABEL, keys=2), row)

    def remove_label(self, project: int, name: str) -> None:
        """See `Writer.remove_label`."""
        self.session.run("DELETE FROM labels WHERE project = ? AND name = ?", (project, name))

    def put_prefix(self, project: int, prefix: str, *, single: bool) -> None:
        """See `Writer.put_prefix`."""
        declare = """INSERT INTO single_prefixes (project, prefix) VALUES (?, ?)
            ON CONFLICT DO NOTHING"""
        release = "DELETE FROM single_prefixes WHERE project = ? AND prefix = ?"
        self.session.run(declare if single else release, (project, prefix))

    def put_expectation(self, project: int, expectation: Expectation) -> None:
        """See `Writer.put_expectation`."""
        sql = _put("expectations", "project, id, expectation", keys=2)
        self.session.run(sql, (project, expectation.id, expectation_to_json(expectation)))

    def remove_expectation(self, project: int, expectation_id: str) -> None:
        """See `Writer.remove_expectation`."""
        sql = "DELETE FROM expectations WHERE project = ? AND id = ?"
        self.session.run(sql, (project, expectation_id))

    def put_redirect(self, project: int, old_id: str, key: int | None) -> None:
        """See `Writer.put_redirect`."""
        if key is None:
            sql = "DELETE FROM redirects WHERE project = ? AND old_id = ?"
            self.session.run(sql, (project, old_id))
            return
        sql = _put("redirects", "project, old_id, memory_key", keys=2)
        self.session.run(sql, (project, old_id, key))

    def append_revision(self, project: int, revision: Revision) -> None:
        """See `Writer.append_revision`."""
        self._advance(project, revision.number)
        actor = revision.actor
        self.session.run(
            """INSERT INTO revisions
            (project, number, actor, authority, operation, reason, time, undoes, mark)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                project,
                revision.number,
                actor.name,
                actor.authority.value,
                revision.operation,
                revision.reason,
                revision.time,
                revision.undoes,
                token_hex(16),
            ),
        )
        changes.insert(self.session, project, revision)

    def add_usage(
        self, project: int, day: str, uses: Mapping[str, Uses], *, questions: int = 0
    ) -> None:
        """See `Writer.add_usage`."""
        keys = self._present_keys(project, sorted(uses))
        counts: dict[int, Counts] = defaultdict(lambda: (0, 0, 0, 0))
        for memory_id, key in keys.items():
            added = uses[memory_id]
            said = (added.surfaced, added.surfaced_direct, added.applied, added.wrong)
            a, b, c, d = map(add, counts[key], said)
            counts[key] = a, b, c, d
        told = {key: each for key, each in sorted(counts.items()) if any(each)}
        if told:
            self._add_uses(project, day, told)
        if questions:
            sql = """INSERT INTO questions (project, day, count) VALUES (?, ?, ?)
                ON CONFLICT (project, day) DO UPDATE
                SET count = questions.count + excluded.count"""
            self.session.run(sql, (project, day, questions))

    def note_questions(self, project: int, notes: Iterable[Question], limit: int) -> int:
        """See `Writer.note_questions`."""
        each: dict[str, Question] = {}
        for note in notes:
            known = each.get(note.text)
            each[note.text] = note if known is None else known.together(note)
        rows = [
            (project, n.text, n.first_day, n.last_day, n.unanswered, n.unapplied)
            for n in each.values()
        ]
        self.session.insert(_NOTES, rows, _ON_NOTES)
        return self.session.run(_KEEP, (project, project, limit))

    def forget_questions(self, project: int, texts: Iterable[str] | None = None) -> None:
        """See `Writer.forget_questions`."""
        sql = "DELETE FROM unhelped_questions WHERE project = ?"
        if texts is None:
            self.session.run(sql, (project,))
        else:
            self.session.run_each(f"{sql} AND text = ?", [(project, text) for text in texts])

    def next_proposal(self, project: int) -> int:
        """See `Writer.next_proposal`."""
        sql = "SELECT coalesce(max(number), 0) + 1 FROM proposals WHERE project = ?"
        row = self.session.row(sql, (project,))
        assert row is not None
        return int(row[0])

    def put_proposal(self, project: int, proposal: Proposal) -> None:
        """See `Writer.put_proposal`."""
        sql = _put("proposals", "project, number, state, proposal", keys=2)
        text = proposal_to_json(proposal)
        self.session.run(sql, (project, proposal.number, proposal.state.value, text))

    def put_sighting(self, project: int, sighting: Sighting) -> None:
        """See `Writer.put_sighting`."""
        sql = _put("sightings", "project, code, subject, place, sighting", keys=4)
        self.session.run(sql, (project, *sighting.key, sighting_to_json(sighting)))

    def remove_sightings(self, project: int, subject: str) -> None:
        """See `Writer.remove_sightings`."""
        sql = "DELETE FROM sightings WHERE project = ? AND subject = ?"
        self.session.run(sql, (project, subject))

    def rewrite_history(self, project: int, rewrite: Callable[[Revision], Revision]) -> None:
        """See `Writer.rewrite_history`."""
        for old in list(self.revisions(project)):
            new = rewrite(old)
            if new != old:
                changes.replace(self.session, project, new)

    def forget(self, project: int, key: int) -> None:
        """See `Writer.forget`."""
        for table in ("uses", "redirects"):
            sql = f"DELETE FROM {table} WHERE project = ? AND memory_key = ?"
            self.session.run(sql, (project, key))

    def put_tombstone(self, project: int, digest: str) -> None:
        """See `Writer.put_tombstone`."""
        sql = "INSERT INTO tombstones (project, digest) VALUES (?, ?) ON CONFLICT DO NOTHING"
        self.session.run(sql, (project, digest))

    def take_job(self, job: Job, now: str, since: str | None = None) -> Job | None:
        """See `Writer.take_job`."""
        return jobs.take(self.session, job, now, since)

    def renew_job(self, job: Job) -> bool:
        """See `Writer.renew_job`."""
        return jobs.renew(self.session, job)

    def end_job(self, job: Job) -> bool:
        """See `Writer.end_job`."""
        return jobs.end(self.session, job)

    def put_backup(self, backup: Backup) -> None:
        """See `Writer.put_backup`."""
        sql = _put("backups", "host, file, made_at", keys=2)
        self.session.run(sql, (backup.host, backup.file, backup.made_at))

    def remove_backup(self, host: str, file: str) -> None:
        """See `Writer.remove_backup`."""
        self.session.run("DELETE FROM backups WHERE host = ? AND file = ?", (host, file))

    def put_synced(self, synced_with: Synced) -> None:
        """See `Writer.put_synced`."""
        synced.put(self.session, synced_with)

    def owe_sweep(self) -> None:
        """See `Writer.owe_sweep`."""
        # another value each time: a sweep that began before settles nothing of this one
        self.session.run(_put("store", "name, value", keys=1), ("sweep", token_hex(8)))

    def put_token(self, token: Token) -> None:
        """See `Writer.put_token`."""
        tokens.put(self.session, token)

    def put_enrollment(self, enrollment: Enrollment) -> None:
        """See `Writer.put_enrollment`."""
        tokens.put_enrollment(self.session, enrollment)

    def void_codes_and_sessions(self) -> None:
        """See `Writer.void_codes_and_sessions`."""
        self.session.run("DELETE FROM enrollments")
        self.session.run("DELETE FROM sessions")

    def redeem(self, digest: str, now: str) -> Enrollment | None:
        """See `Writer.redeem`."""
        return tokens.redeem(self.session, digest, now)

    def put_session(self, session: LoggedIn) -> None:
        """See `Writer.put_session`."""
        tokens.put_session(self.session, session)

    def remove_session(self, digest: str) -> None:
        """See `Writer.remove_session`."""
        tokens.remove_session(self.session, digest)

    def remove_expired_sessions(self, now: str) -> None:
        """See `Writer.remove_expired_sessions`."""
        tokens.remove_expired_sessions(self.session, now)

    def check_ids(self) -> None:
        """Refuse to commit while two memories claim one id.

        Raises:
            MemoryExists: a memory lost its id to another one and got none in return.
        """
        for memory_id in sorted(self._displaced.values()):
            raise MemoryExists(
                memory_id, f"memory '{memory_id}' exists already; choose another id"
            )

    def _displace(self, project: int, memory: Memory) -> None:
        """Make room under an id, so that memories can exchange ids in any order."""
        self._displaced.pop(memory.key, None)
        sql = "SELECT key FROM memories WHERE project = ? AND id = ? AND key <> ?"
        row = self.session.row(sql, (project, memory.id, memory.key))
        if row is not None:
            # No id holds a slash, so no lookup finds the memory under this one.
            sql = "UPDATE memories SET id = id || '/' || key WHERE key = ? AND project = ?"
            self.session.run(sql, (*row, project))
            self._displaced[row[0]] = memory.id

    @abstractmethod
    def _change(self, sql: str, project: int, key: int, row: tuple[Any, ...]) -> int:
        """Run what changes the row of a memory, and remove what its facts say.

        Returns how many rows were changed: none leaves both as they were, or a memory that is
        changed next.
        """

    def _put_imprint(self, project: int, key: int, distinct: set[int], signs: bytes) -> None:
        """Enter a memory that has no rows under its bands."""
        if distinct:
            self._keep_imprint(project, key, distinct, signs)

    def _remove_imprint(self, project: int, key: int) -> None:
        """Remove the rows of a memory under its bands, if it has any."""
        held = self._forget_imprint(project, key)
        if held is None:
            return
        self._leave_bands(project, key, packing.unpacked(held))

    @abstractmethod
    def _keep_imprint(self, project: int, key: int, bands: set[int], signs: bytes) -> None:
        """Keep beside a memory what its text is told by, and enter it under each band."""

    @abstractmethod
    def _leave_bands(self, project: int, key: int, bands: list[int]) -> None:
        """Remove the rows of a memory under these bands."""

    @abstractmethod
    def _forget_imprint(self, project: int, key: int) -> bytes | None:
        """Remove what `_keep_imprint` kept, if anything, and return its bands."""

    def _took(self, key: int) -> None:
        """Take note that a memory of this key was added."""

    def _put_row(
        self, project: int, memory: Memory, row: tuple[Any, ...], *, imprinted: bool
    ) -> None:
        """Insert or replace the row of a memory; what is kept beside it goes."""
        # a memory that keeps its id, as most do, takes it from no other
        changed = self._change(_CHANGE_UNDER_ID, project, memory.key, (*row, memory.id))
        if not changed:
            self._displace(project, memory)
            changed = self._change(_CHANGE_MEMORY, project, memory.key, row)
        if changed:
            if imprinted:
                self._remove_imprint(project, memory.key)
        else:
            self.session.run(_ADD_MEMORY, row)
            self._took(memory.key)

    def _put_values(self, project: int, memory: Memory) -> None:
        values = [(project, *each, memory.key) for each in documents.fact_values(memory.document)]
        self.session.insert("fact_values (project, fact_key, value, memory_key)", values)

    def _claim(self, repository_id: str, project: Project) -> None:
        owner = self.project(repository_id)
        if owner is not None and owner.key != project.key:
            raise Conflict(
                f"repository '{repository_id}' belongs to project '{owner.name}' already; "
                "use that project, or take it away first with `project-memory --project "
                f"{owner.name} project remove-repo {repository_id}`"
            )
        sql = "INSERT INTO repository_ids (repository_id, project) VALUES (?, ?)"
        self.session.run(sql, (repository_id, project.key))

    def _advance(self, project: int, number: int) -> None:
        if self._moved_on(project, number) != 1:
            raise Conflict(
                f"revision {number} cannot follow revision {self.revision(project)}; "
                "read the project again and repeat the change"
            )

    def _moved_on(self, project: int, number: int) -> int:
        """Let a project be at the revision that follows its own; return how many were so."""
        sql = "UPDATE projects SET revision = ? WHERE key = ? AND revision = ?"
        return self.session.run(sql, (number, project, number - 1))

    @abstractmethod
    def _add_uses(self, project: int, day: str, counts: Mapping[int, Counts]) -> None:
        """Add what was counted on a day, by key of the memory."""

    @abstractmethod
    def _present_keys(self, project: int, ids: Sequence[str]) -> dict[str, int]:
        """Return id -> key of the memories that have these ids, or else had them once."""


@cache
def _put(table: str, columns: str, *, keys: int) -> str:
    """Return what inserts a row, or replaces the one that has the same first columns."""
    names = columns.split(", ")
    key, rest = ", ".join(names[:keys]), names[keys:]
    replaced = ", ".join(f"{name} = excluded.{name}" for name in rest)
    return (
        f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(names))}) "
        f"ON CONFLICT ({key}) DO UPDATE SET {replaced}"
    )
