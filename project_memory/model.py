"""Frozen value types that every layer shares: memories, labels, changes, revisions, receipts.

Documents stay plain JSON mappings (`documents.py` owns their field names); everything that the
store knows beside a document is a value here.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

Document: TypeAlias = Mapping[str, Any]
"""One memory in its JSON form, as `schema/memory.schema.json` defines it."""

Clock: TypeAlias = Callable[[], datetime]
"""A source of the present moment, always timezone-aware UTC."""


def system_clock() -> datetime:
    """Return the present moment in UTC."""
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """Return a moment as the store writes it: UTC, whole seconds, ``2026-01-31T09:30:00Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Status(StrEnum):
    """How far a lesson can be trusted; `superseded` is derived from links, never set."""

    ACTIVE = "active"
    STALE = "stale"
    SUPERSEDED = "superseded"
    WRONG = "wrong"


class Authority(StrEnum):
    """Who asserts a memory; decided by the channel it came through, never by its text."""

    USER = "user"
    AGENT = "agent"
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who makes a change, and through which kind of channel."""

    name: str
    authority: Authority


Declared: TypeAlias = Mapping[str, Mapping[str, str]]
"""Relationship kind -> target id -> name of the actor who declared the link on this side."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A document with what the store keeps beside it.

    Attributes:
        key: Internal number that survives a rename; unique in its store.
        document: The canonical document; its `status` is the shown one.
        own_status: Status set by people and agents: active, stale or wrong.
        version: Count of authored edits, from 1; never reused for an id.
        links_version: Count of changes to the links, from 1.
        created_at: UTC timestamp.
        updated_at: UTC timestamp of the last authored edit.
        author: Name of the actor who created it.
        asserted_by: Authority behind the present text.
        archived_at: UTC timestamp, or None while it is retrievable.
        pinned: Whether retention must leave it alone.
        tier: Retention tier, from 1.
        tier_since: UTC timestamp since when its silence counts for that tier; None: unknown.
        declared: Links that this side declared; the others are mirrors.
    """

    key: int
    document: Document
    own_status: Status
    version: int
    links_version: int
    created_at: str
    updated_at: str
    author: str
    asserted_by: Authority
    archived_at: str | None = None
    pinned: bool = False
    tier: int = 1
    tier_since: str | None = None
    declared: Declared = field(default_factory=lambda: MappingProxyType({}))

    @property
    def id(self) -> str:
        """Return the document's id."""
        return str(self.document["id"])

    @property
    def status(self) -> Status:
        """Return the shown status."""
        return Status(self.document["status"])

    @property
    def archived(self) -> bool:
        """Return whether the memory is out of retrieval."""
        return self.archived_at is not None


@dataclass(frozen=True, slots=True)
class Question:
    """A question that recall did not help with.

    Attributes:
        text: What is kept of it, see `gaps.kept_text`.
        first_day: ISO date (UTC) on which it was first noted.
        last_day: ISO date (UTC) on which it was last noted.
        unanswered: Times it was answered "nothing relevant", once a day for each process.
        unapplied: Times it had hits and none of them was applied, once a day for each process.
    """

    text: str
    first_day: str
    last_day: str
    unanswered: int = 0
    unapplied: int = 0

    def together(self, other: Question) -> Question:
        """Return what is noted of the same text by both: counts added, days spanned."""
        return Question(
            self.text,
            min(self.first_day, other.first_day),
            max(self.last_day, other.last_day),
            self.unanswered + other.unanswered,
            self.unapplied + other.unapplied,
        )


@dataclass(frozen=True, slots=True)
class Uses:
    """How often one memory was brought and what was said of it, or what is to be added to that.

    Attributes:
        surfaced: Questions that it was an answer to.
        surfaced_direct: Those of them whose rarer words it holds itself.
        applied: How often it was said to have changed what was done.
        wrong: How often it was said to be wrong.
        days: Days (UTC) on which it surfaced; the store counts them.
        last_seen: The last of them, or None.
    """

    surfaced: int = 0
    surfaced_direct: int = 0
    applied: int = 0
    wrong: int = 0
    days: int = 0
    last_seen: str | None = None


@dataclass(frozen=True, slots=True)
class Handles:
    """What a store finds a memory by, as it keeps it.

    Attributes:
        digest: Its `documents.text_digest`.
        band: The least of the bands of its `duplicates.imprint`; None where it is under none.
        values: Its `documents.fact_values`.
    """

    digest: str
    band: int | None
    values: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Usage:
    """The counters of one project; memories that have none are left out.

    Attributes:
        total: Memory id -> all that was counted.
        tier: Memory id -> what was counted in its present tier.
        questions: Day (UTC) -> questions asked.
    """

    total: Mapping[str, Uses] = field(default_factory=lambda: MappingProxyType({}))
    tier: Mapping[str, Uses] = field(default_factory=lambda: MappingProxyType({}))
    questions: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def asked_since(self, moment: str) -> int:
        """Return the questions asked after the day of a UTC timestamp.

        That day itself is left out: which of its questions came first is not known.
        """
        day = moment[:10]
        return sum(count for on, count in self.questions.items() if on > day)


@dataclass(frozen=True, slots=True)
class Label:
    """A registered label (SKOS concept): preferred name, alternatives, broader label.

    Attributes:
        name: ``prefix:kebab-case``.
        description: What it is for.
        aliases: Other names, which are rewritten to this one.
        broader: The label that this one is a case of, or None.
        deprecated: Whether no further text may carry it.
        replaced_by: What further texts carry in place of a deprecated label, or None.
    """

    name: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    broader: str | None = None
    deprecated: bool = False
    replaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class Registry:
    """The labels of one project by canonical name, and the prefixes that allow one label only."""

    labels: Mapping[str, Label] = field(default_factory=lambda: MappingProxyType({}))
    single: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Expectation:
    """A symptom, and the memories that must be found by it.

    Attributes:
        query: Words as a person or a log would show them.
        expects: Ids of the memories that must be among the first answers, at least one, sorted.
        within: How many of the first answers count, from 1.
        labels: Label expression that narrows the question, or None.
    """

    query: str
    expects: tuple[str, ...]
    within: int = 5
    labels: str | None = None

    @property
    def id(self) -> str:
        """Return what it is named by, 12 hex digits: the same question has the same everywhere."""
        question = f"{self.query}\0{self.labels or ''}"
        return hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Project:
    """One repository's memories: readable name, identities, change counter, settings.

    One that is archived, since the UTC timestamp `archived_at`, takes no changes and is in no
    list.
    """

    key: int
    name: str
    revision: int = 0
    repository_ids: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    archived_at: str | None = None

    @property
    def archived(self) -> bool:
        """Return whether it is out of use."""
        return self.archived_at is not None


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """What one transaction did to one memory; `before` is None when made, `after` when deleted."""

    before: Memory | None
    after: Memory | None

    @property
    def key(self) -> int:
        """Return the memory's internal key."""
        return self._either.key

    @property
    def id(self) -> str:
        """Return the id after the change, or the last one before a deletion."""
        return self._either.id

    @property
    def is_of_labels(self) -> bool:
        """Return whether the document is there before and after, and says the same but labels."""
        if self.before is None or self.after is None:
            return False
        old, new = self.before.document, self.after.document
        return old.keys() == new.keys() and all(
            old[name] == new[name] for name in old if name != "labels"
        )

    @property
    def is_of_text(self) -> bool:
        """Return whether it made the memory, or changed its description or facts."""
        if self.before is None or self.after is None:
            return self.after is not None
        return any(
            self.before.document[name] != self.after.document[name]
            for name in ("description", "remembered_facts")
        )

    @property
    def _either(self) -> Memory:
        memory = self.after or self.before
        assert memory is not None
        return memory


@dataclass(frozen=True, slots=True)
class LabelChange:
    """What one transaction did to one registered label."""

    before: Label | None
    after: Label | None

    @property
    def name(self) -> str:
        """Return the label after the change, or the last one before its removal."""
        label = self.after or self.before
        assert label is not None
        return label.name


@dataclass(frozen=True, slots=True)
class PrefixChange:
    """A prefix declared single, or no longer so."""

    prefix: str
    before: bool
    after: bool


@dataclass(frozen=True, slots=True)
class ExpectationChange:
    """What one transaction did to one expectation."""

    before: Expectation | None
    after: Expectation | None

    @property
    def expectation(self) -> Expectation:
        """Return the expectation after the change, or the last one before its removal."""
        found = self.after or self.before
        assert found is not None
        return found


Change: TypeAlias = MemoryChange | LabelChange | PrefixChange | ExpectationChange


@dataclass(frozen=True, slots=True)
class Revision:
    """One committed transaction: the change feed and the undo log are lists of these.

    Attributes:
        number: The project's counter after this transaction, from 1.
        actor: Who made it.
        operation: Verb of the use case, such as ``create`` or ``undo``.
        reason: Free text given by the caller, or None.
        time: UTC timestamp.
        changes: Everything it changed, in the order of ids.
        undoes: Number of the revision that this one takes back, or None.
    """

    number: int
    actor: Actor
    operation: str
    reason: str | None
    time: str
    changes: tuple[Change, ...]
    undoes: int | None = None


class Severity(StrEnum):
    """Whether a problem makes the store invalid."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A place in the project's code: a path from the top of the checkout, and a line from 1."""

    file: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """One validation failure.

    Attributes:
        code: Stable kebab-case name of the rule.
        message: What is wrong, with the value in quotes.
        path: JSON path such as ``$.labels[0]``; ``$`` for the document as a whole.
        memory: Id of the memory, where there is one.
        fix: What to do, where there is one right answer.
        severity: Error or warning.
        project: Name of the project, where there is one.
        file: File name relative to the directory read, where files are read.
        line: Line in that file, from 1.
        at: Where in the project's code it shows, where it does.
    """

    code: str
    message: str
    path: str = "$"
    memory: str | None = None
    fix: str | None = None
    severity: Severity = Severity.ERROR
    project: str | None = None
    file: str | None = None
    line: int | None = None
    at: CodePlace | None = None


@dataclass(frozen=True, slots=True)
class Touched:
    """One memory in a receipt.

    Attributes:
        id: Its id after the change.
        change: created, updated, mirrored, relabelled, status, renamed, archived, deleted ...
        version: Its version after the change (the last one of a deleted memory).
        status: Its shown status after the change; None when deleted.
        previous_id: Its id before, when renamed.
    """

    id: str
    change: str
    version: int
    status: Status | None
    previous_id: str | None = None


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A memory that says nearly what another, just written, says.

    Attributes:
        id: The one that was written.
        twin: The one that was there, or was written with it.
        score: Share of their character 5-grams that is common, in [0.5, 1].
        status: The shown status of the twin.
        suggests: Kind of link from the one to the other that the text suggests, or None.
    """

    id: str
    twin: str
    score: float
    status: Status
    suggests: str | None = None


@dataclass(frozen=True, slots=True)
class LostExpectation:
    """An expectation that a change loses.

    Attributes:
        id: Its id.
        query: What is asked.
        within: How many of the first answers count.
        labels: Label expression that narrows the question, or None.
        missing: Expected memories that are not among those answers, sorted.
    """

    id: str
    query: str
    within: int
    labels: str | None
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a mutation changed, or would change when `dry_run`.

    Attributes:
        operation: Verb of the use case.
        project: Name of the project.
        revision: The project's revision after the change; unchanged by a dry run.
        dry_run: Whether nothing was committed.
        memories: Every memory touched, the subject first, then by id.
        labels: Labels added, changed or removed.
        expectations: Ids of expectations added, changed or removed.
        notes: Sentences for the caller: repairs, near labels, links that could not come back.
        warnings: Problems that do not forbid the change.
        near_duplicates: Memories that say nearly what was written, the likest first.
        lost_expectations: Expectations that held before and do not after; see `watching`.
        proposals: Numbers of the proposals that were kept for a person, or decided.
        undoes: Number of the revision that this takes back, or None.
    """

    operation: str
    project: str
    revision: int
    dry_run: bool = False
    memories: tuple[Touched, ...] = ()
    labels: tuple[str, ...] = ()
    expectations: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    near_duplicates: tuple[NearDuplicate, ...] = ()
    lost_expectations: tuple[LostExpectation, ...] = ()
    proposals: tuple[int, ...] = ()
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that doctor looked at; where it is not `ok`, the detail says what to do."""

    name: str
    detail: str
    ok: bool


def as_json(value: Any) -> Any:
    """Return a value as plain JSON data: dataclasses by field, None fields left out.

    Fields whose name starts with an underscore are private and left out too. Mappings keep their
    None values, so that documents pass through unchanged.
    """
    if isinstance(value, StrEnum):
        return value.value
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [as_json(each) for each in value]
    if isinstance(value, (Mapping, set, frozenset)) or dataclasses.is_dataclass(type(value)):
        plain = as_json_outside(value)
        if isinstance(plain, dict):
            return {key: as_json(each) for key, each in plain.items()}
        return [as_json(each) for each in plain]
    return value


def as_json_outside(value: Any) -> dict[str, Any] | list[Any]:
    """Return the outermost level of a value as JSON data, as `json.dumps` wants its `default`.

    Raises:
        TypeError: the value is of a kind that has no JSON form.
    """
    if isinstance(value, Mapping):
        return {str(key): each for key, each in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    kind: Any = type(value)
    shown = ((name, getattr(value, name)) for name in _shown(kind))
    return {name: each for name, each in shown if each is not None}


@cache
def _shown(kind: Any) -> tuple[str, ...]:
    """Return the fields of a dataclass that are not private."""
    return tuple(f.name for f in dataclasses.fields(kind) if not f.name.startswith("_"))
