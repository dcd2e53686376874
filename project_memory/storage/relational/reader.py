"""The reading half of the port over a database."""

from __future__ import annotations

import heapq
import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar

from project_memory import documents
from project_memory.backups import Backup
from project_memory.jobs import Job
from project_memory.model import (
    Authority,
    Expectation,
    Handles,
    Label,
    Memory,
    Project,
    Question,
    Registry,
    Revision,
    Status,
    Usage,
    Uses,
)
from project_memory.ports import CROWD
from project_memory.proposals import Proposal, State
from project_memory.sightings import Sighting
from project_memory.storage.codec import (
    expectation_from_json,
    memory_from_json,
    proposal_from_json,
    sighting_from_json,
    to_json,
)
from project_memory.storage.relational import bands as packing
from project_memory.storage.relational import jobs, synced, tokens
from project_memory.storage.relational.feed import Hints, Span, revisions
from project_memory.storage.relational.session import Session
from project_memory.storage.relational.tables import TABLES, Table
from project_memory.synced import Synced
from project_memory.tokens import Session as LoggedIn
from project_memory.tokens import Token

_BATCH = 256
_PROJECTS = """SELECT key, name, revision, settings, archived_at, repository_id
    FROM projects LEFT JOIN repository_ids ON project = key"""
MEMORY = """document, key, own_status, version, links_version, created_at, updated_at, author,
    asserted_by, archived_at, pinned, tier, declared, tier_since"""

_TIER_USES = """SELECT m.id, u.surfaced, u.surfaced_direct, u.applied, u.wrong, u.days, u.last_seen
    FROM uses AS u JOIN memories AS m
    ON m.key = u.memory_key AND m.project = u.project AND m.tier = u.tier
    WHERE u.project = ? ORDER BY u.memory_key"""
# A sum is of another type than what is added up, in some databases.
_TOTAL_USES = """SELECT min(m.id), CAST(sum(u.surfaced) AS BIGINT),
        CAST(sum(u.surfaced_direct) AS BIGINT), CAST(sum(u.applied) AS BIGINT),
        CAST(sum(u.wrong) AS BIGINT), CAST(sum(u.days) AS BIGINT), max(u.last_seen)
    FROM uses AS u JOIN memories AS m ON m.key = u.memory_key AND m.project = u.project
    WHERE u.project = ? GROUP BY u.memory_key ORDER BY u.memory_key"""

# A memory without an imprint is met under no band, whatever stands there.
_HANDLES = """SELECT m.id, m.key, m.digest, CASE WHEN i.memory_key IS NOT NULL THEN b.band END
    FROM memories AS m LEFT JOIN imprints AS i ON {} LEFT JOIN
        (SELECT memory_key, min(band) AS band FROM text_bands WHERE project = ?
        GROUP BY memory_key) AS b ON b.memory_key = m.key
    WHERE m.project = ? AND m.archived_at IS NULL"""


class RelationalReader(ABC):
    """See `ports.Reader`; a back end says where its own statements are better.

    Attributes:
        POSITION: Function that returns where in a text another one begins, from 1, or 0.
        HINTS: How the planner finds its way to revisions.
        BESIDE: Condition under which an imprint `i` is that of a memory `m`.
        TABLES: All tables but `store`, and how they are read and filled here.
    """

    POSITION: ClassVar[str]
    HINTS: ClassVar[Hints] = Hints()
    BESIDE: ClassVar[str]
    TABLES: ClassVar[tuple[Table, ...]] = TABLES

    def __init__(self, session: Session) -> None:
        self.session = session

    def projects(self) -> list[Project]:
        """See `Reader.projects`."""
        rows = self.session.rows(f"{_PROJECTS} ORDER BY name, repository_id")
        return [_project(list(some)) for _, some in groupby(rows, key=itemgetter(0))]

    def project(self, name: str) -> Project | None:
        """See `Reader.project`."""
        by_name = f"{_PROJECTS} WHERE name = ? ORDER BY repository_id"
        by_repository = f"""{_PROJECTS}
            WHERE key = (SELECT project FROM repository_ids WHERE repository_id = ?)
            ORDER BY repository_id"""
        rows = self.session.rows(by_name, (name,)) or self.session.rows(by_repository, (name,))
        return _project(rows) if rows else None

    def revision(self, project: int) -> int:
        """See `Reader.revision`."""
        row = self.session.row("SELECT revision FROM projects WHERE key = ?", (project,))
        return 0 if row is None else int(row[0])

    def memory(self, project: int, memory_id: str) -> Memory | None:
        """See `Reader.memory`."""
        sql = f"SELECT {MEMORY} FROM memories WHERE project = ? AND id = ?"
        row = self.session.row(sql, (project, memory_id))
        return None if row is None else memory_of(row)

    def memories(self, project: int, ids: Iterable[str] | None = None) -> Iterator[Memory]:
        """See `Reader.memories`."""
        self.session.check_open()
        return self._every(project) if ids is None else self._named(project, sorted(set(ids)))

    def carriers(self, project: int, labels: Iterable[str]) -> Iterator[Memory]:
        """See `Reader.carriers`."""
        self.session.check_open()
        return self._carrying(project, set(labels))

    def same_text(self, project: int, digest: str) -> list[str]:
        """See `Reader.same_text`."""
        sql = """SELECT id FROM memories
            WHERE project = ? AND digest = ? AND archived_at IS NULL ORDER BY id"""
        return [str(row[0]) for row in self.session.rows(sql, (project, digest))]

    def near_text(self, project: int, bands: Iterable[int], limit: int) -> dict[str, bytes]:
        """See `Reader.near_text`."""
        shared = Counter(self._under(project, set(bands)))
        likest = [(-count, key) for key, count in shared.items()]
        heapq.heapify(likest)  # few of many are looked at
        found: dict[str, bytes] = {}
        while likest and len(found) < limit:
            count = min(limit - len(found), len(likest))
            keys = [heapq.heappop(likest)[1] for _ in range(count)]
            held = {key: (name, signs) for key, name, signs in self._unarchived(project, keys)}
            found.update(held[key] for key in keys if key in held)
        return found

    def imprints(self, project: int) -> dict[str, tuple[tuple[int, ...], bytes]]:
        """See `Reader.imprints`."""
        sql = f"""SELECT m.id, i.signs, i.bands FROM memories AS m JOIN imprints AS i
            ON {self.BESIDE} WHERE m.project = ? AND m.archived_at IS NULL"""
        rows = self.session.rows(sql, (project,))
        return {
            str(name): (tuple(sorted(packing.unpacked(packed))), bytes(signs))
            for name, signs, packed in rows
        }

    def lessons(self, project: int, ids: Iterable[str]) -> dict[str, str]:
        """See `Reader.lessons`."""
        wanted = list(ids)
        found = {memory.id: memory for memory in self.memories(project, wanted)}
        return {name: documents.lesson(found[name].document) for name in wanted if name in found}

    def other_values(self, project: int, key: str, value: str) -> list[str]:
        """See `Reader.other_values`."""
        sql = """SELECT m.id FROM fact_values AS f JOIN memories AS m
            ON m.key = f.memory_key AND m.project = f.project
            WHERE f.project = ? AND f.fact_key = ? AND f.value <> ? AND m.archived_at IS NULL
            ORDER BY f.value, f.memory_key LIMIT ?"""
        return sorted(
            {str(row[0]) for row in self.session.rows(sql, (project, key, value, CROWD))}
        )

    def handles(self, project: int) -> dict[str, Handles]:
        """See `Reader.handles`."""
        values: dict[int, set[tuple[str, str]]] = {}
        facts = "SELECT memory_key, fact_key, value FROM fact_values WHERE project = ?"
        for owner, key, value in self.session.rows(facts, (project,)):
            values.setdefault(owner, set()).add((key, value))
        rows = self.session.rows(_HANDLES.format(self.BESIDE), (project, project))
        return {
            name: Handles(digest, band, frozenset(values.get(key, ())))
            for name, key, digest, band in rows
        }

    def registry(self, project: int) -> Registry:
        """See `Reader.registry`."""
        sql = """SELECT 0, name, description, aliases, broader, deprecated, replaced_by
            FROM labels WHERE project = ?
            UNION ALL SELECT 1, prefix, NULL, NULL, NULL, NULL, NULL
            FROM single_prefixes WHERE project = ?"""
        found = sorted(self.session.rows(sql, (project, project)), key=itemgetter(1))
        rows = [(row[0], row[1:]) for row in found]
        return Registry(
            {row[0]: _label(row) for single, row in rows if not single},
            frozenset(str(row[0]) for single, row in rows if single),
        )

    def expectations(self, project: int) -> list[Expectation]:
        """See `Reader.expectations`."""
        sql = "SELECT expectation FROM expectations WHERE project = ?"
        rows = self.session.rows(sql, (project,))
        found = [expectation_from_json(row[0]) for row in rows]
        return sorted(found, key=lambda each: (each.query, each.labels or ""))

    def redirect(self, project: int, memory_id: str) -> str | None:
        """See `Reader.redirect`."""
        sql = """SELECT m.id FROM redirects AS r JOIN memories AS m
            ON m.key = r.memory_key AND m.project = r.project
            WHERE r.project = ? AND r.old_id = ?"""
        row = self.session.row(sql, (project, memory_id))
        return None if row is None else str(row[0])

    def redirects(self, project: int) -> dict[str, str]:
        """See `Reader.redirects`."""
        sql = """SELECT r.old_id, m.id FROM redirects AS r JOIN memories AS m
            ON m.key = r.memory_key AND m.project = r.project WHERE r.project = ?"""
        return {str(old): str(present) for old, present in self.session.rows(sql, (project,))}

    def id_of(self, project: int, key: int) -> str | None:
        """See `Reader.id_of`."""
        sql = "SELECT id FROM memories WHERE key = ? AND project = ?"
        row = self.session.row(sql, (key, project))
        return None if row is None else str(row[0])

    def last_version(self, project: int, memory_id: str) -> int:
        """See `Reader.last_version`."""
        sql = """SELECT max(version) FROM history WHERE project = ? AND memory_id = ? UNION ALL
            SELECT version FROM memories WHERE project = ? AND id = ?"""
        rows = self.session.rows(sql, (project, memory_id) * 2)
        return max((int(row[0] or 0) for row in rows), default=0)

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
        span = Span(after, before, newest_first=newest_first, limit=limit)
        return revisions(self.session, project, span, self.HINTS, memory_id=memory_id, actor=actor)

    def mark(self, project: int, number: int) -> str | None:
        """See `Reader.mark`."""
        sql = "SELECT mark FROM revisions WHERE project = ? AND number = ?"
        row = self.session.row(sql, (project, number))
        return None if row is None else str(row[0])

    def marks(self, project: int, after: int) -> dict[int, str]:
        """See `Reader.marks`."""
        sql = "SELECT number, mark FROM revisions WHERE project = ? AND number > ?"
        return {int(row[0]): str(row[1]) for row in self.session.rows(sql, (project, after))}

    def states(self, project: int, key: int) -> Iterator[Memory]:
        """See `Reader.states`."""
        sql = """SELECT after FROM history WHERE project = ? AND memory_key = ?
            AND after IS NOT NULL ORDER BY revision DESC"""
        rows = self.session.rows(sql, (project, key))
        return (memory_from_json(str(row[0])) for row in rows)

    def usage(self, project: int) -> Usage:
        """See `Reader.usage`."""
        questions = self.session.rows(
            "SELECT day, count FROM questions WHERE project = ? ORDER BY day", (project,)
        )
        return Usage(
            total=self._uses(_TOTAL_USES, project),
            tier=self._uses(_TIER_USES, project),
            questions={row[0]: row[1] for row in questions},
        )

    def questions(self, project: int) -> list[Question]:
        """See `Reader.questions`."""
        sql = """SELECT text, first_day, last_day, unanswered, unapplied FROM unhelped_questions
            WHERE project = ? ORDER BY text"""
        return [Question(*row) for row in self.session.rows(sql, (project,))]

    def proposal(self, project: int, number: int) -> Proposal | None:
        """See `Reader.proposal`."""
        sql = "SELECT proposal FROM proposals WHERE project = ? AND number = ?"
        row = self.session.row(sql, (project, number))
        return None if row is None else proposal_from_json(row[0])

    def proposals(self, project: int, state: State | None = None) -> Iterator[Proposal]:
        """See `Reader.proposals`."""
        sql = "SELECT proposal FROM proposals WHERE project = ?"
        parameters: tuple[Any, ...] = (project,)
        if state is not None:
            sql, parameters = f"{sql} AND state = ?", (project, state.value)
        rows = self.session.rows(f"{sql} ORDER BY number", parameters)
        return (proposal_from_json(row[0]) for row in rows)

    def sightings(self, project: int) -> Iterator[Sighting]:
        """See `Reader.sightings`."""
        sql = "SELECT sighting FROM sightings WHERE project = ? ORDER BY subject, code, place"
        return (sighting_from_json(row[0]) for row in self.session.rows(sql, (project,)))

    def tombstones(self, project: int) -> frozenset[str]:
        """See `Reader.tombstones`."""
        sql = "SELECT digest FROM tombstones WHERE project = ?"
        return frozenset(str(row[0]) for row in self.session.rows(sql, (project,)))

    def store_id(self) -> str:
        """See `Reader.store_id`."""
        row = self.session.row("SELECT value FROM store WHERE name = 'id'")
        assert row is not None
        return str(row[0])

    def jobs(self) -> list[Job]:
        """See `Reader.jobs`."""
        return jobs.every(self.session)

    def backups(self) -> list[Backup]:
        """See `Reader.backups`."""
        sql = "SELECT made_at, host, file FROM backups ORDER BY made_at, host, file"
        return [Backup(*row) for row in self.session.rows(sql)]

    def synced(self, project: int, host: str, folder: str) -> Synced | None:
        """See `Reader.synced`."""
        return synced.one(self.session, project, host, folder)

    def owes_sweep(self) -> bool:
        """See `Reader.owes_sweep`."""
        return self.session.row("SELECT value FROM store WHERE name = 'sweep'") is not None

    def token(self, token_id: str) -> Token | None:
        """See `Reader.token`."""
        return tokens.one(self.session, token_id)

    def tokens(self) -> list[Token]:
        """See `Reader.tokens`."""
        return tokens.every(self.session)

    def session_of(self, digest: str) -> LoggedIn | None:
        """See `Reader.session_of`."""
        return tokens.session_of(self.session, digest)

    def last_project(self) -> int:
        """Return a number that no key of a project is above, or ever was."""
        sql = """SELECT value FROM store WHERE name = 'last_project'
            UNION ALL SELECT CAST(max(key) AS TEXT) FROM projects"""
        return max(int(row[0] or 0) for row in self.session.rows(sql))

    @abstractmethod
    def last_key(self) -> int:
        """Return a number that no key of a memory is above, or ever was."""

    @abstractmethod
    def _under(self, project: int, bands: Collection[int]) -> Iterable[int]:
        """Return the key of each memory under each band, the first `CROWD` of a band."""

    @abstractmethod
    def _unarchived(self, project: int, keys: Sequence[int]) -> list[tuple[Any, ...]]:
        """Return (key, id, signs) of the memories of these keys that are not archived."""

    def _uses(self, sql: str, project: int) -> dict[str, Uses]:
        return {row[0]: Uses(*row[1:]) for row in self.session.rows(sql, (project,))}

    def _every(self, project: int) -> Iterator[Memory]:
        sql = f"""SELECT {MEMORY} FROM memories WHERE project = ? AND id > ?
            ORDER BY id LIMIT {_BATCH}"""
        last = ""
        while rows := self.session.rows(sql, (project, last)):
            found = [memory_of(row) for row in rows]
            yield from found
            last = found[-1].id

    def _carrying(self, project: int, labels: set[str]) -> Iterator[Memory]:
        # The text of a document tells at once that it does not carry a label.
        quoted = [to_json(name) for name in sorted(labels)]
        holds = " OR ".join(f"{self.POSITION}(document, ?) > 0" for _ in quoted) or "1 = 0"
        sql = f"""SELECT {MEMORY} FROM memories WHERE project = ? AND id > ? AND ({holds})
            ORDER BY id LIMIT {_BATCH}"""
        last = ""
        while rows := self.session.rows(sql, (project, last, *quoted)):
            found = [memory_of(row) for row in rows]
            yield from (m for m in found if labels.intersection(m.document["labels"]))
            last = found[-1].id

    def _named(self, project: int, ids: list[str]) -> Iterator[Memory]:
        for memory_id in ids:
            found = self.memory(project, memory_id)
            if found is not None:
                yield found


def memory_of(row: tuple[Any, ...]) -> Memory:
    """Return the memory in a row of the columns `MEMORY`."""
    (document, key, own_status, version, links_version, created_at, updated_at, author,
     asserted_by, archived_at, pinned, tier, declared, tier_since) = row  # fmt: skip
    return Memory(
        key=key,
        document=json.loads(document),
        own_status=Status(own_status),
        version=version,
        links_version=links_version,
        created_at=created_at,
        updated_at=updated_at,
        author=author,
        asserted_by=Authority(asserted_by),
        archived_at=archived_at,
        pinned=bool(pinned),
        tier=tier,
        declared={} if declared == "{}" else json.loads(declared),
        tier_since=tier_since,
    )


def _project(rows: Sequence[tuple[Any, ...]]) -> Project:
    """Return the project in the rows of `_PROJECTS` that are its own."""
    key, name, revision, settings, archived_at, _ = rows[0]
    ids = tuple(str(row[5]) for row in rows if row[5] is not None)
    return Project(key, name, revision, ids, json.loads(settings), archived_at)


@lru_cache(maxsize=4096)  # every write reads all labels of its project
def _label(row: tuple[Any, ...]) -> Label:
    name, description, aliases, broader, deprecated, replaced_by = row
    names = () if aliases == "[]" else tuple(json.loads(aliases))
    return Label(name, description, names, broader, bool(deprecated), replaced_by)
