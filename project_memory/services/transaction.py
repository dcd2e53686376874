"""Commit one operation: close the working set, check it, write it as one revision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from project_memory import access, documents, duplicates, labels, relations, secrets, validation
from project_memory.errors import InvalidDocument, NotFound, SecretFound
from project_memory.model import (
    Actor,
    Document,
    Label,
    LabelChange,
    Memory,
    MemoryChange,
    PrefixChange,
    Problem,
    Project,
    Receipt,
    Revision,
    Severity,
    Touched,
)
from project_memory.ports import Reader, Storage, Writer
from project_memory.services import past, twins
from project_memory.services.working_set import WorkingSet

_TELLING = frozenset({"create", "update", "apply"})
"""Operations whose receipt names near-duplicates: those by which a lesson is told."""


@dataclass(frozen=True, slots=True)
class Order:
    """What every mutation says of itself.

    Attributes:
        operation: Verb of the use case, kept in history.
        actor: Who asks for it.
        moment: When, in UTC.
        reason: Free text kept in history, or None.
        dry_run: Whether to do everything but commit.
        undoes: Number of the revision that is taken back, or None.
    """

    operation: str
    actor: Actor
    moment: datetime
    reason: str | None = None
    dry_run: bool = False
    undoes: int | None = None


def commit(
    storage: Storage, project: str, order: Order, act: Callable[[WorkingSet], object]
) -> Receipt:
    """Run `act` on a working set and commit what it leaves, wholly or not at all.

    A dry run does the same on a reader, so that it holds up nobody.

    Raises:
        NotFound: the project does not exist.
        InvalidDocument: a rule is broken; nothing was written.
        UnknownLabel: a text that comes back carries a label that is not registered any more.
        SecretFound: changed text looks like a credential; nothing was written.
    """
    refuse_secret(order.reason, "the reason")
    refuse_secret(order.actor.name, "the actor's name")
    if order.dry_run:
        with storage.read() as reader:
            work = _worked(reader, project, order, act)
            return _receipt(work, order, work.project.revision)
    with storage.write() as writer:
        work = _worked(writer, project, order, act)
        return _receipt(work, order, _flush(writer, work, order))


def refuse_secret(text: str | None, place: str) -> None:
    """Refuse text kept beside documents that looks like a credential; `place` names it.

    Raises:
        SecretFound: with the place and the rule.
    """
    rules = secrets.scan(text) if text else []
    if rules:
        raise SecretFound([(place, rule) for rule in rules])


def existing_project(reader: Reader, name: str) -> Project:
    """Return the project of this name or repository id.

    Raises:
        NotFound: there is none; the message names the ones there are.
    """
    found = reader.project(name)
    if found is None:
        known = ", ".join(f"'{project.name}'" for project in reader.projects()) or "none yet"
        raise NotFound(
            f"no project '{name}' in this store (projects: {known}); "
            "run `project-memory init` in its repository"
        )
    return found


def _worked(
    reader: Reader, project: str, order: Order, act: Callable[[WorkingSet], object]
) -> WorkingSet:
    work = WorkingSet(reader, existing_project(reader, project), order.actor, order.moment)
    act(work)
    _settle_statuses(work)
    _advance(work)
    _check(work)
    if order.operation in _TELLING:
        twins.note(work)
    return work


def _settle_statuses(work: WorkingSet) -> None:
    moved = (c for c in work.memory_changes() if work.is_authored(c.key) or _has_moved(c))
    for memory_id in sorted(_status_depends_on(moved)):
        memory = work.find(memory_id)
        if memory is None:
            continue
        status = relations.shown_status(memory, work.find)
        if memory.status is not status:
            shown = {**memory.document, "status": status.value}
            asserted = access.asserted_after_status(memory, status, work.actor)
            settled = replace(memory, document=shown, asserted_by=asserted)
            work.put(settled, "status-shown", authored=False)


def _status_depends_on(changes: Iterable[MemoryChange]) -> set[str]:
    """Return the ids whose shown status these changes may have moved."""
    ids: set[str] = set()
    for change in changes:
        for memory in filter(None, (change.before, change.after)):
            ids.add(memory.id)
            ids.update(
                k.target for k in documents.links(memory.document) if k.kind == "supersedes"
            )
    return ids


def _has_moved(change: MemoryChange) -> bool:
    """Return whether a change touches what the shown status, own or of others, depends on."""
    before, after = change.before, change.after
    return before is None or after is None or _standing(before) != _standing(after)


def _standing(memory: Memory) -> tuple[Any, ...]:
    document = memory.document
    shown = (document["id"], document["status"], document["relationships"])
    return (*shown, memory.own_status, memory.archived)


def _advance(work: WorkingSet) -> None:
    for change in work.memory_changes():
        before, after = change.before, change.after
        if after is None:
            continue
        counters = {} if before is None else _counters(work, before, after)
        changed = replace(after, **counters, tier_since=_tier_since(work, before, after))
        work.put(changed, work.event(after.key) or "mirrored", authored=False)


def _counters(work: WorkingSet, before: Memory, after: Memory) -> dict[str, Any]:
    if before.document == after.document:
        return {}
    counters: dict[str, Any] = {}
    if work.is_authored(after.key):
        counters = {"version": _last_version(work, before, after) + 1, "updated_at": work.now}
    if not work.is_authored(after.key) or _linked(before) != _linked(after):
        counters["links_version"] = before.links_version + 1
    return counters


def _tier_since(work: WorkingSet, before: Memory | None, after: Memory) -> str | None:
    """Return since when silence counts: anew in another tier, and back among the retrievable."""
    if before is None or (before.archived and not after.archived):
        return work.now
    moved = before.tier != after.tier and before.tier_since == after.tier_since
    return work.now if moved else after.tier_since


def _last_version(work: WorkingSet, before: Memory, after: Memory) -> int:
    """Return the version that the next one follows, of the memory and of the id it takes."""
    earlier = work.last_version(after.id) if before.id != after.id else 0
    return max(before.version, earlier)


def _linked(memory: Memory) -> set[documents.Link]:
    return set(documents.links(memory.document))


def _check(work: WorkingSet) -> None:
    problems: list[Problem] = []
    leaks: list[tuple[str, str]] = []
    for change in work.memory_changes():
        if change.after is None or (
            change.before and change.before.document == change.after.document
        ):
            continue
        before = change.before.document if change.before else None
        problems += _errors(work, before, change.after)
        if work.is_authored(change.after.key):
            access.check_privileges(before, change.after.document, work.actor)
            leaks += secrets.scan_document(change.after.document)
    for label_change in work.label_changes():
        match label_change:
            case LabelChange(after=Label(name=name, description=description)):
                leaks += [(f"the description of '{name}'", r) for r in secrets.scan(description)]
    if problems:
        raise InvalidDocument(problems)
    if leaks:
        raise SecretFound(leaks)


def _errors(work: WorkingSet, before: Document | None, memory: Memory) -> Iterator[Problem]:
    lenient = not (work.strict and work.is_authored(memory.key))
    for problem in validation.check_document(memory.document, stored=lenient):
        if problem.severity is Severity.ERROR:
            yield problem
    if work.is_authored(memory.key) or (before or {}).get("labels") != memory.document["labels"]:
        yield from _label_problems(work, memory)


def _label_problems(work: WorkingSet, memory: Memory) -> Iterator[Problem]:
    carried = memory.document["labels"]
    for name in carried:
        if name not in work.registry.labels:
            labels.resolve(work.registry, name)
    for prefix in labels.check_single(work.registry, carried):
        several = ", ".join(f"'{name}'" for name in carried if labels.prefix(name) == prefix)
        yield Problem(
            "single-prefix",
            f"prefix '{prefix}' allows one label a memory, but it has {several}",
            "$.labels",
            memory.id,
            "keep one of them",
        )


def _flush(writer: Writer, work: WorkingSet, order: Order) -> int:
    project = work.project.key
    changes = _with_keys(writer, work.memory_changes())
    label_changes = work.label_changes()
    if not changes and not label_changes:
        return work.project.revision
    old = past.replay(writer, project, work.past, work.project.revision, changes)
    for change in sorted(changes, key=lambda c: c.after is not None):
        _write(writer, project, change)
    if work.past:
        past.redirects(writer, project, work.project.revision)
    for label_change in label_changes:
        _write_label(writer, project, label_change)
    writer.append_revision(
        project,
        Revision(
            number=old + 1,
            actor=order.actor,
            operation=order.operation,
            reason=order.reason,
            time=work.now,
            changes=(*changes, *label_changes),
            undoes=order.undoes,
        ),
    )
    return old + 1


def _with_keys(writer: Writer, changes: Iterable[MemoryChange]) -> list[MemoryChange]:
    """Give keys to memories that are new to the store."""
    keyed = []
    for change in changes:
        fresh = change.after is not None and change.after.key < 0
        after = (
            replace(change.after, key=writer.next_key())
            if change.after and fresh
            else change.after
        )
        keyed.append(MemoryChange(change.before, after))
    return keyed


def _write(writer: Writer, project: int, change: MemoryChange) -> None:
    before, after = change.before, change.after
    if after is None:
        writer.remove_memory(project, change.key)
        return
    digest = documents.text_digest(after.document)
    moved = change.is_of_text
    bands = duplicates.bands(documents.lesson(after.document)) if moved else None
    writer.put_memory(project, after, digest, bands)
    if before is not None and before.id != after.id:
        writer.put_redirect(project, after.id, None)
        writer.put_redirect(project, before.id, after.key)


def _write_label(writer: Writer, project: int, change: object) -> None:
    match change:
        case LabelChange(after=Label() as label):
            writer.put_label(project, label)
        case LabelChange(before=Label(name=name)):
            writer.remove_label(project, name)
        case PrefixChange(prefix=prefix, after=single):
            writer.put_prefix(project, prefix, single=single)


def _receipt(work: WorkingSet, order: Order, revision: int) -> Receipt:
    changes = work.memory_changes()
    touched = [_touched(work, change) for change in changes]
    touched.sort(key=lambda t: (t.change in {"mirrored", "status-shown"}, t.id))
    names = {c.name if isinstance(c, LabelChange) else f"{c.prefix}:" for c in work.label_changes()
             if isinstance(c, (LabelChange, PrefixChange))}  # fmt: skip
    nothing = () if changes or names else ("nothing changed",)
    return Receipt(
        operation=order.operation,
        project=work.project.name,
        revision=revision,
        dry_run=order.dry_run,
        memories=tuple(touched),
        labels=tuple(sorted(names)),
        notes=(*work.notes, *nothing),
        warnings=tuple(_warnings(work, changes)),
        near_duplicates=tuple(work.near_duplicates),
    )


def _touched(work: WorkingSet, change: MemoryChange) -> Touched:
    before, after = change.before, change.after
    subject = after or before
    assert subject is not None
    moved = before.id if before and after and before.id != after.id else None
    return Touched(
        id=subject.id,
        change=work.event(subject.key) or _neighbour_event(before, after),
        version=subject.version,
        status=after.status if after else None,
        previous_id=moved,
    )


def _neighbour_event(before: Memory | None, after: Memory | None) -> str:
    assert before is not None
    assert after is not None
    if before.document["labels"] != after.document["labels"]:
        return "relabelled"
    return "mirrored" if _linked(before) != _linked(after) else "status-shown"


def _warnings(work: WorkingSet, changes: Iterable[MemoryChange]) -> Iterator[Problem]:
    for change in changes:
        if change.after is not None and work.is_authored(change.after.key):
            found = validation.check_document(change.after.document, stored=not work.strict)
            yield from (p for p in found if p.severity is Severity.WARNING)
