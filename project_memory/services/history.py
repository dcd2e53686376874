"""Read what happened: revisions, one revision with its differences, versions of a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from project_memory import documents
from project_memory.errors import InvalidInput, NotFound
from project_memory.model import (
    Authority,
    Document,
    ExpectationChange,
    LabelChange,
    Memory,
    MemoryChange,
    PrefixChange,
    Revision,
    timestamp,
)
from project_memory.ports import Reader
from project_memory.services.store import StoreInfo


@dataclass(frozen=True, slots=True)
class Entry:
    """One revision in a list, newest first."""

    number: int
    time: str
    actor: str
    authority: Authority
    operation: str
    reason: str | None
    undoes: int | None
    memories: tuple[str, ...]
    labels: tuple[str, ...]
    expectations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class History:
    """Revisions of a project or of one memory, newest first."""

    revisions: tuple[Entry, ...]
    store: StoreInfo


@dataclass(frozen=True, slots=True)
class MemoryDifference:
    """What a revision did to one memory: field -> [before, after]."""

    id: str
    version: int
    fields: Mapping[str, Any]
    before: Document | None
    after: Document | None


@dataclass(frozen=True, slots=True)
class RevisionDetail:
    """One revision with every difference it made."""

    revision: Entry
    differences: tuple[MemoryDifference, ...]
    store: StoreInfo


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """How a memory differs between two of its versions: field -> [old, new]."""

    id: str
    old: int
    new: int
    fields: Mapping[str, Any]
    store: StoreInfo


def present(reader: Reader, project: int, memory_id: str) -> Memory:
    """Return the memory of this id as it is now, following a redirect.

    Raises:
        NotFound: there is none.
    """
    found = reader.memory(project, memory_id)
    if found is None:
        moved = reader.redirect(project, memory_id)
        found = reader.memory(project, moved) if moved else None
    if found is None:
        raise NotFound(f"no memory '{memory_id}'; list ids with `project-memory list`")
    return found


def listed(
    reader: Reader, project: int, *, memory_id: str | None, limit: int
) -> tuple[Entry, ...]:
    """Return the newest revisions, of one memory if it is named.

    Raises:
        InvalidInput: `limit` is below 1.
        NotFound: no revision ever touched that id.
    """
    if limit < 1:
        raise InvalidInput(f"limit {limit} is below 1; ask for at least one revision")
    found = reader.revisions(project, memory_id=memory_id, newest_first=True, limit=limit)
    entries = tuple(entry(revision) for revision in found)
    if memory_id is not None and not entries:
        raise NotFound(f"no history of '{memory_id}'; list ids with `project-memory list`")
    return entries


def entry(revision: Revision) -> Entry:
    """Return a revision as it is listed."""
    memories = (change.id for change in _memory_changes(revision))
    return Entry(
        number=revision.number,
        time=revision.time,
        actor=revision.actor.name,
        authority=revision.actor.authority,
        operation=revision.operation,
        reason=revision.reason,
        undoes=revision.undoes,
        memories=tuple(memories),
        labels=tuple(_label_names(revision)),
        expectations=tuple(_questions(revision)),
    )


def numbered(reader: Reader, project: int, number: int) -> Revision:
    """Return one revision.

    Raises:
        NotFound: the project has no revision of this number.
    """
    for revision in reader.revisions(project, after=number - 1, before=number + 1):
        return revision
    raise NotFound(f"no revision {number}; `project-memory history list` shows the ones there are")


def differences(revision: Revision) -> tuple[MemoryDifference, ...]:
    """Return what a revision did to each memory, by id."""
    return tuple(
        MemoryDifference(
            id=change.id,
            version=(change.after or change.before or _impossible()).version,
            fields=documents.diff(_document(change.before), _document(change.after)),
            before=_document(change.before) or None,
            after=_document(change.after) or None,
        )
        for change in _memory_changes(revision)
    )


def compared(
    reader: Reader,
    project: int,
    memory_id: str,
    versions: tuple[int, int | None],
    info: StoreInfo,
) -> VersionDifference:
    """Return how a memory differs between two versions (old, new); None is the present one.

    Raises:
        NotFound: the memory or a version does not exist.
    """
    old, new = versions
    before = version_of(reader, project, memory_id, old)
    after = (
        present(reader, project, memory_id)
        if new is None
        else version_of(reader, project, memory_id, new)
    )
    fields = documents.diff(before.document, after.document)
    return VersionDifference(after.id, before.version, after.version, fields, info)


def version_of(reader: Reader, project: int, memory_id: str, version: int) -> Memory:
    """Return a memory as one of its versions left it.

    Raises:
        NotFound: there is no such version.
    """
    lives = _lives(reader, project, memory_id)
    left = (change.after for life in lives for _, change in life)
    found = [memory for memory in left if memory is not None and memory.version == version]
    if found:
        return _best_named(found, memory_id)
    raise NotFound(
        f"'{memory_id}' has no version {version}; "
        f"`project-memory history list {memory_id}` shows its history"
    )


def as_of(reader: Reader, project: int, memory_id: str, moment: str) -> Memory:
    """Return a memory as it was at a moment (UTC timestamp or date, the day included).

    Raises:
        InvalidInput: the moment is neither.
        NotFound: it did not exist then.
    """
    until = _end_of(moment)
    left = [
        next((change.after for revision, change in life if revision.time <= until), None)
        for life in _lives(reader, project, memory_id)
    ]
    found = [memory for memory in left if memory is not None]
    if found:
        return _best_named(found, memory_id)
    raise NotFound(
        f"'{memory_id}' did not exist at {moment}; "
        f"`project-memory history list {memory_id}` shows its history"
    )


def _end_of(moment: str) -> str:
    try:
        if "T" not in moment:
            return f"{date.fromisoformat(moment).isoformat()}T23:59:59Z"
        given = datetime.fromisoformat(moment.replace("Z", "+00:00"))
        return timestamp(given if given.tzinfo else given.replace(tzinfo=UTC))
    except ValueError as error:
        raise InvalidInput(
            f"'{moment}' is no moment; write a date like 2026-01-31 or a UTC timestamp like "
            "2026-01-31T09:30:00Z"
        ) from error


def _lives(
    reader: Reader, project: int, memory_id: str
) -> list[list[tuple[Revision, MemoryChange]]]:
    """Return what happened to each memory that ever had an id, newest first.

    The memory that has it, or had it last, comes first: an id that was deleted can be given again.
    """
    changes: dict[int, list[tuple[Revision, MemoryChange]]] = {}
    named: list[int] = []
    for revision in reader.revisions(project, memory_id=memory_id, newest_first=True):
        # in one revision a memory may give its id up and another take it: the taker had it last
        for change in sorted(_memory_changes(revision), key=lambda change: change.after is None):
            changes.setdefault(change.key, []).append((revision, change))
            named += [change.key] if change.id == memory_id else []
    return [changes[key] for key in dict.fromkeys(named)]


def _best_named(memories: Sequence[Memory], memory_id: str) -> Memory:
    """Return the first that had this id itself, else the first that has it at another time."""
    return next((memory for memory in memories if memory.id == memory_id), memories[0])


def _memory_changes(revision: Revision) -> list[MemoryChange]:
    return [change for change in revision.changes if isinstance(change, MemoryChange)]


def _label_names(revision: Revision) -> Iterator[str]:
    for change in revision.changes:
        match change:
            case LabelChange():
                yield change.name
            case PrefixChange(prefix=prefix):
                yield f"{prefix}:"


def _questions(revision: Revision) -> Iterator[str]:
    for change in revision.changes:
        match change:
            case ExpectationChange(expectation=expectation):
                yield expectation.query


def _document(memory: Memory | None) -> Document:
    return {} if memory is None else memory.document


def _impossible() -> Memory:
    raise AssertionError("a change without a memory")
