"""The writing half of the port over SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from project_memory import documents
from project_memory.errors import Conflict, MemoryExists
from project_memory.model import Expectation, Label, Memory, Project, Revision, Uses
from project_memory.proposals import Proposal
from project_memory.sightings import Sighting
from project_memory.storage.codec import (
    expectation_to_json,
    proposal_to_json,
    sighting_to_json,
    to_json,
)
from project_memory.storage.sqlite import changes, imprints
from project_memory.storage.sqlite.reader import SqliteReader
from project_memory.storage.sqlite.session import Session

_COLUMNS = """id, digest, document, own_status, version, links_version, created_at, updated_at,
    author, asserted_by, archived_at, pinned, tier, declared, tier_since"""
_CHANGE_MEMORY = f"""UPDATE memories SET ({_COLUMNS})
    = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE key = ? AND project = ?"""
_ADD_MEMORY = f"""INSERT INTO memories ({_COLUMNS}, key, project)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_ADD_UNDER_FREE_ID = f"{_ADD_MEMORY} ON CONFLICT (project, id) DO NOTHING"

_ADD_USES = """INSERT INTO uses (project, memory_key, tier, surfaced, surfaced_direct, applied,
        wrong, days, last_seen)
    SELECT ?, ?, tier, ?, ?, ?, ?, ?, ? FROM memories WHERE key = ?
    ON CONFLICT (project, memory_key, tier) DO UPDATE SET
        surfaced = surfaced + excluded.surfaced,
        surfaced_direct = surfaced_direct + excluded.surfaced_direct,
        applied = applied + excluded.applied, wrong = wrong + excluded.wrong,
        days = days + (excluded.days AND excluded.last_seen > ifnull(last_seen, '')),
        last_seen = max(ifnull(last_seen, excluded.last_seen), ifnull(excluded.last_seen, ''))"""


class SqliteWriter(SqliteReader):
    """See `ports.Writer`."""

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
        self._session.run("INSERT OR IGNORE INTO projects (name) VALUES (?)", (name,))
        project = self.project(name)
        assert project is not None
        if settings is not None:
            sql = "UPDATE projects SET settings = ? WHERE key = ?"
            self._session.run(sql, (to_json(settings), project.key))
        self._session.run("DELETE FROM repository_ids WHERE project = ?", (project.key,))
        for repository_id in sorted(set(repository_ids)):
            self._claim(repository_id, project)
        stored = self.project(name)
        assert stored is not None
        return stored

    def next_key(self) -> int:
        """See `Writer.next_key`."""
        return self.next_keys(1)[0]

    def next_keys(self, count: int) -> range:
        """See `Writer.next_keys`."""
        self._session.run(
            """UPDATE store SET value = ? + max(value, (SELECT ifnull(max(key), 0) FROM memories))
            WHERE name = 'last_key'""",
            (count,),
        )
        row = self._session.row("SELECT value FROM store WHERE name = 'last_key'")
        assert row is not None
        keys = range(int(row[0]) - count + 1, int(row[0]) + 1)
        self._unused.update(keys)
        return keys

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
        if memory.key not in self._unused or not self._session.run(_ADD_UNDER_FREE_ID, row):
            self._put_row(project, memory, row, imprinted=bands is not None)
        self._unused.discard(memory.key)
        self._put_values(project, memory)
        if bands is not None:
            imprints.insert(self._session, project, memory.key, bands, signs)

    def remove_memory(self, project: int, key: int) -> None:
        """See `Writer.remove_memory`."""
        imprints.remove(self._session, project, key)
        self._session.run("DELETE FROM memories WHERE project = ? AND key = ?", (project, key))
        self._displaced.pop(key, None)

    def put_label(self, project: int, label: Label) -> None:
        """See `Writer.put_label`."""
        self._session.run(
            """INSERT OR REPLACE INTO labels
            (project, name, description, aliases, broader, deprecated, replaced_by)
            VALUES (?, ?, ?, ?, ?, ?, ?)""",
            (
                project,
                label.name,
                label.description,
                to_json(label.aliases),
                label.broader,
                label.deprecated,
                label.replaced_by,
            ),
        )

    def remove_label(self, project: int, name: str) -> None:
        """See `Writer.remove_label`."""
        self._session.run("DELETE FROM labels WHERE project = ? AND name = ?", (project, name))

    def put_prefix(self, project: int, prefix: str, *, single: bool) -> None:
        """See `Writer.put_prefix`."""
        declare = "INSERT OR IGNORE INTO single_prefixes (project, prefix) VALUES (?, ?)"
        release = "DELETE FROM single_prefixes WHERE project = ? AND prefix = ?"
        self._session.run(declare if single else release, (project, prefix))

    def put_expectation(self, project: int, expectation: Expectation) -> None:
        """See `Writer.put_expectation`."""
        sql = "INSERT OR REPLACE INTO expectations (project, id, expectation) VALUES (?, ?, ?)"
        self._session.run(sql, (project, expectation.id, expectation_to_json(expectation)))

    def remove_expectation(self, project: int, expectation_id: str) -> None:
        """See `Writer.remove_expectation`."""
        sql = "DELETE FROM expectations WHERE project = ? AND id = ?"
        self._session.run(sql, (project, expectation_id))

    def put_redirect(self, project: int, old_id: str, key: int | None) -> None:
        """See `Writer.put_redirect`."""
        if key is None:
            sql = "DELETE FROM redirects WHERE project = ? AND old_id = ?"
            self._session.run(sql, (project, old_id))
            return
        sql = "INSERT OR REPLACE INTO redirects (project, old_id, memory_key) VALUES (?, ?, ?)"
        self._session.run(sql, (project, old_id, key))

    def append_revision(self, project: int, revision: Revision) -> None:
        """See `Writer.append_revision`."""
        self._advance(project, revision.number)
        actor = revision.actor
        self._session.run(
            """INSERT INTO revisions
            (project, number, actor, authority, operation, reason, time, undoes, mark)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, lower(hex(randomblob(16))))""",
            (
                project,
                revision.number,
                actor.name,
                actor.authority.value,
                revision.operation,
                revision.reason,
                revision.time,
                revision.undoes,
            ),
        )
        changes.insert(self._session, project, revision)

    def add_usage(
        self, project: int, day: str, uses: Mapping[str, Uses], *, questions: int = 0
    ) -> None:
        """See `Writer.add_usage`."""
        for memory_id in sorted(uses):
            key = self._present_key(project, memory_id)
            if key is not None:
                self._add_uses(project, key, day, uses[memory_id])
        if questions:
            sql = """INSERT INTO questions (project, day, count) VALUES (?, ?, ?)
                ON CONFLICT (project, day) DO UPDATE SET count = count + excluded.count"""
            self._session.run(sql, (project, day, questions))

    def next_proposal(self, project: int) -> int:
        """See `Writer.next_proposal`."""
        sql = "SELECT ifnull(max(number), 0) + 1 FROM proposals WHERE project = ?"
        row = self._session.row(sql, (project,))
        assert row is not None
        return int(row[0])

    def put_proposal(self, project: int, proposal: Proposal) -> None:
        """See `Writer.put_proposal`."""
        sql = """INSERT OR REPLACE INTO proposals (project, number, state, proposal)
            VALUES (?, ?, ?, ?)"""
        text = proposal_to_json(proposal)
        self._session.run(sql, (project, proposal.number, proposal.state.value, text))

    def put_sighting(self, project: int, sighting: Sighting) -> None:
        """See `Writer.put_sighting`."""
        sql = """INSERT OR REPLACE INTO sightings (project, code, subject, place, sighting)
            VALUES (?, ?, ?, ?, ?)"""
        self._session.run(sql, (project, *sighting.key, sighting_to_json(sighting)))

    def remove_sightings(self, project: int, subject: str) -> None:
        """See `Writer.remove_sightings`."""
        sql = "DELETE FROM sightings WHERE project = ? AND subject = ?"
        self._session.run(sql, (project, subject))

    def rewrite_history(self, project: int, rewrite: Callable[[Revision], Revision]) -> None:
        """See `Writer.rewrite_history`."""
        # what is deleted is overwritten with zeros, even if the file is not vacuumed later
        self._session.rows("PRAGMA secure_delete = ON")
        for old in list(self.revisions(project)):
            new = rewrite(old)
            if new != old:
                changes.replace(self._session, project, new)

    def forget(self, project: int, key: int) -> None:
        """See `Writer.forget`."""
        for table in ("uses", "redirects"):
            sql = f"DELETE FROM {table} WHERE project = ? AND memory_key = ?"
            self._session.run(sql, (project, key))

    def put_tombstone(self, project: int, digest: str) -> None:
        """See `Writer.put_tombstone`."""
        sql = "INSERT OR IGNORE INTO tombstones (project, digest) VALUES (?, ?)"
        self._session.run(sql, (project, digest))

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
        row = self._session.row(sql, (project, memory.id, memory.key))
        if row is not None:
            # No id holds a slash, so no lookup finds the memory under this one.
            sql = "UPDATE memories SET id = id || '/' || key WHERE key = ?"
            self._session.run(sql, row)
            self._displaced[row[0]] = memory.id

    def _put_row(
        self, project: int, memory: Memory, row: tuple[Any, ...], *, imprinted: bool
    ) -> None:
        """Insert or replace the row of a memory; what is kept beside it goes."""
        self._displace(project, memory)
        if self._session.run(_CHANGE_MEMORY, row):
            self._session.run("DELETE FROM fact_values WHERE memory_key = ?", (memory.key,))
            if imprinted:
                imprints.remove(self._session, project, memory.key)
        else:
            self._session.run(_ADD_MEMORY, row)

    def _put_values(self, project: int, memory: Memory) -> None:
        values = [(project, *each, memory.key) for each in documents.fact_values(memory.document)]
        sql = "INSERT INTO fact_values (project, fact_key, value, memory_key) VALUES (?, ?, ?, ?)"
        self._session.run_each(sql, values)

    def _claim(self, repository_id: str, project: Project) -> None:
        owner = self.project(repository_id)
        if owner is not None and owner.key != project.key:
            raise Conflict(
                f"repository '{repository_id}' belongs to project '{owner.name}' already; "
                "use that project, or take the repository from it first"
            )
        sql = "INSERT INTO repository_ids (repository_id, project) VALUES (?, ?)"
        self._session.run(sql, (repository_id, project.key))

    def _advance(self, project: int, number: int) -> None:
        sql = "UPDATE projects SET revision = ? WHERE key = ? AND revision = ?"
        if self._session.run(sql, (number, project, number - 1)) != 1:
            raise Conflict(
                f"revision {number} cannot follow revision {self.revision(project)}; "
                "read the project again and repeat the change"
            )

    def _add_uses(self, project: int, key: int, day: str, uses: Uses) -> None:
        given = (uses.surfaced, uses.surfaced_direct, uses.applied, uses.wrong)
        seen = (1, day) if uses.surfaced else (0, None)
        if any(given):
            self._session.run(_ADD_USES, (project, key, *given, *seen, key))

    def _present_key(self, project: int, memory_id: str) -> int | None:
        present = "SELECT key FROM memories WHERE project = ? AND id = ?"
        renamed = "SELECT memory_key FROM redirects WHERE project = ? AND old_id = ?"
        parameters = (project, memory_id)
        row = self._session.row(present, parameters) or self._session.row(renamed, parameters)
        return None if row is None else int(row[0])
