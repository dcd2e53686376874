"""Read what happened: revisions, one revision with its differences, versions of a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from project_memory import documents
from project_memory.errors import InvalidInput, NotFound
from project_memory.model import (
    Authority,
    Document,
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
    memories = (c.id for c in revision.changes if isinstance(c, MemoryChange))
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
        for change in revision.changes
        if isinstance(change, MemoryChange)
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
    return _newest(
        reader,
        project,
        memory_id,
        lambda memory, _: memory.version == version,
        f"'{memory_id}' has no version {version}; "
        f"`project-memory history list {memory_id}` shows its history",
        deletion_ends=False,
    )


def as_of(reader: Reader, project: int, memory_id: str, moment: str) -> Memory:
    """Return a memory as it was at a moment (UTC timestamp or date, the day included).

    Raises:
        InvalidInput: the moment is neither.
        NotFound: it did not exist then.
    """
    until = _end_of(moment)
    return _newest(
        reader,
        project,
        memory_id,
        lambda _, time: time <= until,
        f"'{memory_id}' did not exist at {moment}; "
        f"`project-memory history list {memory_id}` shows its history",
        deletion_ends=True,
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


def _newest(
    reader: Reader,
    project: int,
    memory_id: str,
    wanted: Any,
    message: str,
    *,
    deletion_ends: bool,
) -> Memory:
    for revision, change in _changes_of(reader, project, memory_id):
        after = change.after
        if after is None and deletion_ends and wanted(change.before, revision.time):
            break
        if after is not None and wanted(after, revision.time):
            return after
    raise NotFound(message)


def _changes_of(
    reader: Reader, project: int, memory_id: str
) -> Iterator[tuple[Revision, MemoryChange]]:
    key = None
    for revision in reader.revisions(project, memory_id=memory_id, newest_first=True):
        for change in revision.changes:
            if isinstance(change, MemoryChange) and (
                change.key == key or (key is None and change.id == memory_id)
            ):
                key = change.key
                yield revision, change


def _label_names(revision: Revision) -> Iterator[str]:
    for change in revision.changes:
        match change:
            case LabelChange():
                yield change.name
            case PrefixChange(prefix=prefix):
                yield f"{prefix}:"


def _document(memory: Memory | None) -> Document:
    return {} if memory is None else memory.document


def _impossible() -> Memory:
    raise AssertionError("a change without a memory")
