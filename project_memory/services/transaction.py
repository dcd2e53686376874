"""Commit one operation: close the working set, check it, write it as one revision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial

from project_memory import access, documents, labels, secrets
from project_memory.duplicates import Imprint
from project_memory.errors import ExpectationLost, InvalidDocument, SecretFound
from project_memory.model import (
    Actor,
    Document,
    Expectation,
    ExpectationChange,
    Label,
    LabelChange,
    LostExpectation,
    Memory,
    MemoryChange,
    PrefixChange,
    Problem,
    Receipt,
    Revision,
    Severity,
)
from project_memory.ports import Reader, Storage, Writer
from project_memory.proposals import Operation, Proposal, State
from project_memory.services import (
    checking,
    contradictions,
    past,
    proposing,
    reasons,
    receipts,
    settling,
    tombstones,
    twins,
)
from project_memory.services.collecting import no_collection
from project_memory.services.store import changeable_project, existing_project
from project_memory.services.working_set import WorkingSet
from project_memory.validation import observed

_TELLING = frozenset({"create", "update", "apply"})
"""Operations by which a lesson is told: their receipts say who says it too, or otherwise."""

_WIDE = frozenset(
    {"rename-label", "merge-labels", "deprecate-label", "remove-label", "set-single"}
)
"""Operations that are held to every expectation, which can take as long as others wait."""


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
        operations: The same as operations of `batch`, to be proposed where a person must decide;
            None for what cannot be proposed.
    """

    operation: str
    actor: Actor
    moment: datetime
    reason: str | None = None
    dry_run: bool = False
    undoes: int | None = None
    operations: Sequence[Operation] | None = None


Watch = Callable[[Reader, WorkingSet], Sequence[LostExpectation]]
"""Returns the expectations that a closed working set loses."""


def unwatched(reader: Reader, work: WorkingSet) -> Sequence[LostExpectation]:  # noqa: ARG001
    """Return nothing: the change is held to no expectation."""
    return ()


def commit(
    storage: Storage,
    project: str,
    order: Order,
    act: Callable[[WorkingSet], object],
    watch: Watch = unwatched,
) -> Receipt:
    """Run `act` on a working set and commit what it leaves, wholly or not at all.

    What a person must decide is kept as a proposal instead, and nothing else is changed. A dry
    run does the same on a reader, so that it holds up nobody; so does, at first, an operation that
    is held to every expectation: it is rehearsed again while the store is held only where another
    change came between. What is proposed is held to expectations when it is applied.

    Raises:
        NotFound: the project does not exist.
        InvalidInput: the reason or the actor's name is too long, or no plain text.
        InvalidDocument: a rule is broken; nothing was written.
        UnknownLabel: a text that comes back carries a label that is not registered any more.
        SecretFound: changed text looks like a credential; nothing was written.
        Forbidden: a person must decide, and the operation cannot be proposed.
        ExpectationLost: the project is strict, and what it expects would not be found any more.
    """
    reasons.check_reason(order.reason, "the reason")
    reasons.check_name(order.actor.name, "the actor's name")
    rehearsed: _Rehearse = partial(_rehearsed, act=act, watch=watch)
    if order.dry_run:
        dry = _dry(storage, project, order, rehearsed)
        return _receipt(dry, order, dry.work.project.revision)
    if not (order.operation in _WIDE and _is_expecting(storage, project)):
        return _commit(storage, project, order, rehearsed)
    with no_collection():
        before = _dry(storage, project, order, rehearsed)
        again = partial(_again, before=before, rehearsed=rehearsed)
        return _commit(storage, project, order, again)


def _is_expecting(storage: Storage, project: str) -> bool:
    with storage.read() as reader:
        return bool(reader.expectations(existing_project(reader, project).key))


@dataclass(frozen=True, slots=True)
class _Rehearsal:
    """What an operation would leave: a closed working set, what is proposed, what is lost."""

    work: WorkingSet
    proposal: Proposal | None
    lost: tuple[LostExpectation, ...]


_Rehearse = Callable[[Reader, str, Order], _Rehearsal]
"""Rehearses an operation on a project."""


def _dry(storage: Storage, project: str, order: Order, rehearse: _Rehearse) -> _Rehearsal:
    with storage.read() as reader:
        return rehearse(reader, project, order)


def _commit(storage: Storage, project: str, order: Order, rehearse: _Rehearse) -> Receipt:
    with storage.write(project) as writer:
        done = rehearse(writer, project, order)
        work, proposal = done.work, done.proposal
        revision = work.project.revision if proposal else _flush(writer, work, order)
        kept = [proposal] if proposal else [_decided(p, revision) for p in work.proposals]
        numbers = proposing.keep(writer, work, kept)
    return _receipt(done, order, revision, numbers)


def _rehearsed(
    reader: Reader,
    project: str,
    order: Order,
    act: Callable[[WorkingSet], object],
    watch: Watch,
) -> _Rehearsal:
    work = rehearse(reader, project, order, act)
    proposal = _proposal(work, order)
    return _Rehearsal(work, proposal, _lost(reader, work, watch, proposal))


def _again(
    reader: Reader, project: str, order: Order, before: _Rehearsal, rehearsed: _Rehearse
) -> _Rehearsal:
    """Return what was rehearsed where nothing has changed since, or rehearse it anew."""
    if before.work.project != existing_project(reader, project):
        return rehearsed(reader, project, order)
    before.work.read_on(reader)
    return before


def _receipt(
    done: _Rehearsal, order: Order, revision: int, numbers: tuple[int, ...] = ()
) -> Receipt:
    if done.proposal:
        return receipts.of_proposal(done.work, done.proposal, numbers)
    told = receipts.of_change(done.work, order.operation, revision, numbers, dry_run=order.dry_run)
    return replace(told, undoes=order.undoes, lost_expectations=done.lost)


def rehearse(
    reader: Reader, project: str, order: Order, act: Callable[[WorkingSet], object]
) -> WorkingSet:
    """Return the working set that `act` leaves, closed and checked, and write nothing.

    Raises:
        ProjectMemoryError: what `commit` would raise.
    """
    work = WorkingSet(reader, changeable_project(reader, project), order.actor, order.moment)
    act(work)
    settling.settle_statuses(work)
    settling.advance(work)
    _check(work)
    if order.operation in _TELLING:
        twins.note(work)
        contradictions.note(work)
    return work


def commit_within(
    writer: Writer, project: str, order: Order, act: Callable[[WorkingSet], object]
) -> int:
    """Write what `act` leaves in a transaction that the caller ends; return the new revision.

    The actor must be one who decides: nothing is proposed.
    """
    return _flush(writer, rehearse(writer, project, order, act), order)


def _check(work: WorkingSet) -> None:
    problems: list[Problem] = []
    leaks = _leaks_beside(work)
    for change in work.memory_changes():
        if change.after is None or (
            change.before and change.before.document == change.after.document
        ):
            continue
        before = change.before.document if change.before else None
        problems += _errors(work, before, change.after)
        problems += tombstones.problems(work.buried, change.before, change.after)
        if work.is_authored(change.after.key):
            leaks += secrets.scan_document(change.after.document)
    problems += tombstones.past_problems(work.buried, work.past)
    if problems:
        raise InvalidDocument(problems)
    if leaks:
        raise SecretFound(leaks)


def _leaks_beside(work: WorkingSet) -> list[tuple[str, str]]:
    """Return (place, rule) for what looks like a credential in labels and expectations."""
    leaks: list[tuple[str, str]] = []
    for label_change in work.label_changes():
        match label_change:
            case LabelChange(after=Label(name=name, description=description)):
                leaks += [(f"the description of '{name}'", r) for r in secrets.scan(description)]
    for expected in work.expectation_changes():
        if expected.after is not None:
            text = f"{expected.after.query}\n{expected.after.labels or ''}"
            leaks += [(f"expectation '{expected.after.id}'", rule) for rule in secrets.scan(text)]
    return leaks


def _errors(work: WorkingSet, before: Document | None, memory: Memory) -> Iterator[Problem]:
    lenient = not (work.strict and work.is_authored(memory.key))
    faults = [p for p in work.problems(memory) if p.severity is Severity.ERROR]
    yield from faults
    if not (lenient or faults):
        known = set(_of_new_text(before, work.today)) if before else set()
        fresh = [p for p in _of_new_text(memory.document, work.today) if p not in known]
        if fresh:  # what comes back was said before, be it under a clock that was ahead
            states = work.states(memory)
            known |= {p for each in states for p in _of_new_text(each.document, work.today)}
        yield from (p for p in fresh if p not in known)
    if work.is_authored(memory.key) or (before or {}).get("labels") != memory.document["labels"]:
        yield from _label_problems(work, memory)


def _of_new_text(document: Document, today: date) -> Iterator[Problem]:
    """Yield what is refused in new text only; older text is left as it is."""
    yield from observed.problems(document, today)
    yield from checking.requirement_problems(document)


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
    others = [*work.label_changes(), *work.expectation_changes()]
    if not changes and not others:
        return work.project.revision
    old = past.replay(writer, project, work.past, work.project.revision, changes)
    told = work.imprints(c.after for c in changes if c.after and c.is_of_text)
    for change in sorted(changes, key=lambda c: c.after is not None):
        _write(writer, project, change, told)
    past.put_redirects(writer, project, changes)
    if work.past:
        past.redirects(writer, project, work.project.revision)
    for other in others:
        _write_other(writer, project, other)
    writer.append_revision(
        project,
        Revision(
            number=old + 1,
            actor=order.actor,
            operation=order.operation,
            reason=order.reason,
            time=work.now,
            changes=(*changes, *others),
            undoes=order.undoes,
        ),
    )
    return old + 1


def _with_keys(writer: Writer, changes: Iterable[MemoryChange]) -> list[MemoryChange]:
    """Give keys to memories that are new to the store."""
    held = list(changes)
    fresh = sum(_is_unkeyed(change) for change in held)
    keys = iter(writer.next_keys(fresh)) if fresh else iter(())
    return [
        MemoryChange(change.before, replace(change.after, key=next(keys)))
        if change.after is not None and _is_unkeyed(change)
        else change
        for change in held
    ]


def _is_unkeyed(change: MemoryChange) -> bool:
    return change.after is not None and change.after.key < 0


def _write(
    writer: Writer, project: int, change: MemoryChange, told: Mapping[str, Imprint]
) -> None:
    after = change.after
    if after is None:
        writer.remove_memory(project, change.key)
        return
    digest = documents.text_digest(after.document)
    writer.put_memory(project, after, digest, *told.get(after.id, ()))


def _write_other(writer: Writer, project: int, change: object) -> None:
    match change:
        case LabelChange(after=Label() as label):
            writer.put_label(project, label)
        case LabelChange(before=Label(name=name)):
            writer.remove_label(project, name)
        case PrefixChange(prefix=prefix, after=single):
            writer.put_prefix(project, prefix, single=single)
        case ExpectationChange(after=Expectation() as expectation):
            writer.put_expectation(project, expectation)
        case ExpectationChange(before=Expectation() as gone):
            writer.remove_expectation(project, gone.id)


def _proposal(work: WorkingSet, order: Order) -> Proposal | None:
    """Return what is proposed instead of being done, or None where nobody must decide."""
    because = proposing.reasons(work)
    if not because:
        return None
    if order.operations is None:
        raise access.not_proposable(order.operation, because)
    return proposing.proposed(
        work, order.operation, order.operations, reason=order.reason, because=because
    )


def _lost(
    reader: Reader, work: WorkingSet, watch: Watch, proposal: Proposal | None
) -> tuple[LostExpectation, ...]:
    """Return the expectations that are lost, and in a strict project refuse to lose any."""
    found = () if proposal else tuple(watch(reader, work))
    if found and work.project.settings.get("expectations") == access.Expectations.STRICT:
        raise ExpectationLost(work.project.name, found)
    return found


def _decided(proposal: Proposal, revision: int) -> Proposal:
    """Return a proposal with the revision that it became, if it was applied."""
    if proposal.state is not State.APPLIED or proposal.decision is None:
        return proposal
    return replace(proposal, decision=replace(proposal.decision, revision=revision))
