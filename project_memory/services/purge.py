"""Remove a memory and its text from everywhere in the store: for secrets that got in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from project_memory import documents
from project_memory.errors import Forbidden, InvalidInput, NotFound
from project_memory.model import (
    Actor,
    Authority,
    Document,
    Memory,
    MemoryChange,
    Project,
    Revision,
    timestamp,
)
from project_memory.ports import Reader, Storage, Writer
from project_memory.proposals import Decision, Proposal, State
from project_memory.services import backing_up, curate, gaps, reasons, snapshots, tombstones
from project_memory.services.store import existing_project
from project_memory.services.traces import (
    Traces,
    cleaned,
    cleaned_expectation,
    elsewhere_too,
    is_about,
    is_copy,
    traces,
)
from project_memory.services.transaction import (
    Order,
    commit_within,
)

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What a purge removed, or would remove.

    Attributes:
        id: The id that was given.
        project: Name of the project.
        revision: The project's revision afterwards.
        dry_run: Whether nothing was removed.
        ids: Every id that it had, sorted; none can be used again.
        unlinked: Memories that were linked to it, sorted.
        rewritten: Numbers of the revisions that told of it.
        proposals: Numbers of the proposals that told of it; what they said is gone.
        copies: Memories, labels and ``(settings)`` that hold a text of it and were left alone, as
            ``project/id``.
        remains: Where its text may still be, a sentence each.
    """

    id: str
    project: str
    revision: int
    dry_run: bool
    ids: tuple[str, ...]
    unlinked: tuple[str, ...]
    rewritten: tuple[int, ...]
    proposals: tuple[int, ...]
    copies: tuple[str, ...]
    remains: tuple[str, ...]


def purge(
    storage: Storage,
    project: str,
    order: Order,
    memory_id: str,
    *,
    host: str,
    leave_copies: bool = False,
) -> PurgeReport:
    """Remove a memory, deleted ones too, with its text in history; its id and text stay out.

    Purging what was purged already clears the space it left again. `host` is the name of this
    machine.

    Raises:
        Forbidden: the actor is no person.
        NotFound: no memory ever had this id.
        InvalidInput: another memory holds a text of it, and `leave_copies` is false.
    """
    reasons.check_reason(order.reason, "the reason")
    if order.dry_run:
        with storage.read() as reader:
            return _foretold(reader, project, order, memory_id)
    _refuse_others(order.actor)
    with storage.write() as writer:
        report = _purged(writer, project, order, memory_id, leave_copies=leave_copies)
    with storage.read() as reader:
        snapshots.remove(reader, existing_project(reader, project).key)
        copies = backing_up.remains(reader, host)
    return replace(report, remains=(*copies, *storage.sweep()))


def _refuse_others(actor: Actor) -> None:
    if actor.authority is not Authority.USER:
        raise Forbidden(
            "only a person can purge a memory; run `project-memory purge` at a terminal"
        )


def _foretold(reader: Reader, name: str, order: Order, memory_id: str) -> PurgeReport:
    project = existing_project(reader, name)
    known = _known(reader, project, memory_id)
    told = [r.number for r in reader.revisions(project.key) if cleaned(known, r) is not r]
    report = _report(reader, project, known, memory_id)
    return replace(report, dry_run=order.dry_run, rewritten=tuple(told))


def _purged(
    writer: Writer, name: str, order: Order, memory_id: str, *, leave_copies: bool
) -> PurgeReport:
    project = existing_project(writer, name)
    known = _known(writer, project, memory_id)
    report = _report(writer, project, known, memory_id)
    if report.copies and not leave_copies:
        raise _copied(memory_id, report.copies)
    known = elsewhere_too(known, [text for _, text in _copies(writer, project, known)])
    present = _present(writer, project, known)
    for memory in present:
        commit_within(writer, name, order, partial(curate.delete, memory_id=memory.id))
    last = writer.revision(project.key)
    if known.keys and not present:
        last += 1
        writer.append_revision(project.key, _bare(last, order))
    rewrite = _Rewrite(known, own=range(project.revision + 1, last + 1))
    writer.rewrite_history(project.key, rewrite)
    for number in report.proposals:
        _empty(writer, project, number, order)
    _forget(writer, project, known)
    return replace(report, revision=last, rewritten=tuple(rewrite.numbers))


class _Rewrite:
    """Clean revisions and remember which ones changed; those of the purge keep their reason."""

    def __init__(self, known: Traces, own: range) -> None:
        self._known, self._own = known, own
        self.numbers: list[int] = []

    def __call__(self, revision: Revision) -> Revision:
        own = revision.number in self._own
        found = cleaned(self._known, revision, keep_reason=own)
        if found is not revision and not own:
            self.numbers.append(revision.number)
        return found


def _known(reader: Reader, project: Project, memory_id: str) -> Traces:
    moved = reader.redirect(project.key, memory_id)
    if moved is not None and reader.memory(project.key, memory_id) is None:
        raise InvalidInput(f"'{memory_id}' was renamed; purge '{moved}', which it is now")
    known = traces(_versions(reader, project, memory_id))
    # an id that was given up may be another memory's by now
    taken = {m.id for m in reader.memories(project.key, known.ids) if m.key not in known.keys}
    known = replace(known, ids=known.ids - taken)
    gone = tombstones.of_id(reader.store_id(), memory_id) in reader.tombstones(project.key)
    if not known.keys and not gone:
        raise NotFound(
            f"no memory ever was '{memory_id}'; list ids with `project-memory list`, and deleted "
            "ones with `project-memory history list`"
        )
    return known


def _versions(reader: Reader, project: Project, memory_id: str) -> Iterator[Memory]:
    """Yield every version of the memories that ever had this id, under all their ids."""
    revisions = list(reader.revisions(project.key, memory_id=memory_id))
    changes = [c for r in revisions for c in r.changes if isinstance(c, MemoryChange)]
    keys = {change.key for change in changes
            if memory_id in {m.id for m in (change.before, change.after) if m}}  # fmt: skip
    for change in changes:
        if change.key in keys:
            yield from filter(None, (change.before, change.after))
    present = reader.memory(project.key, memory_id)
    if present is not None:
        yield present


def _present(reader: Reader, project: Project, known: Traces) -> list[Memory]:
    return list(reader.memories(project.key, known.ids))


def _report(reader: Reader, project: Project, known: Traces, memory_id: str) -> PurgeReport:
    linked = {
        link.target
        for memory in _present(reader, project, known)
        for link in documents.links(memory.document)
    }
    about = (p.number for p in reader.proposals(project.key) if is_about(known, p))
    return PurgeReport(
        id=memory_id,
        project=project.name,
        revision=project.revision,
        dry_run=False,
        ids=tuple(sorted({*known.ids, memory_id})),
        unlinked=tuple(sorted(linked)),
        rewritten=(),
        proposals=tuple(about),
        copies=tuple(place for place, _ in _copies(reader, project, known)),
        remains=(),
    )


def _copies(reader: Reader, project: Project, known: Traces) -> Iterator[tuple[str, Document]]:
    """Yield (place, what is said there) where something else holds a text of it today."""
    for each in reader.projects():
        for memory in reader.memories(each.key):
            itself = each.key == project.key and memory.key in known.keys
            if not itself and is_copy(known, memory.document):
                yield f"{each.name}/{memory.id}", memory.document
        for label in reader.registry(each.key).labels.values():
            if is_copy(known, {"description": label.description}):
                yield f"{each.name}/{label.name}", {"description": label.description}
        if is_copy(known, each.settings):
            yield f"{each.name}/(settings)", each.settings


def _copied(memory_id: str, copies: tuple[str, ...]) -> InvalidInput:
    shown = ", ".join(f"'{copy}'" for copy in copies[:_SHOWN])
    more = f" and {len(copies) - _SHOWN} more" if len(copies) > _SHOWN else ""
    return InvalidInput(
        f"a text of '{memory_id}' also stands in {shown}{more}; take it out there first, so that "
        "their history is cleared too, or leave it there with --leave-copies"
    )


def _bare(number: int, order: Order) -> Revision:
    time = timestamp(order.moment)
    return Revision(number, order.actor, order.operation, order.reason, time, ())


def _empty(writer: Writer, project: Project, number: int, order: Order) -> None:
    """Take from a proposal what it said; one that waited is withdrawn."""
    found = writer.proposal(project.key, number)
    assert found is not None
    decision = found.decision and replace(found.decision, reason=None)
    waited = found.state is State.WAITING
    ended = Decision(order.actor, timestamp(order.moment)) if waited else decision
    bare = Proposal(
        number, found.actor, found.time, found.revision, found.operation,
        because=("what it was about was purged",),
        state=State.WITHDRAWN if waited else found.state,
        skipped_at=found.skipped_at,
        decision=ended,
    )  # fmt: skip
    writer.put_proposal(project.key, bare)


def _forget(writer: Writer, project: Project, known: Traces) -> None:
    """Remove what stands beside the memory, and bury its ids and texts."""
    for sighting in list(writer.sightings(project.key)):
        if sighting.subject in known.ids or is_about(known, sighting):
            writer.remove_sightings(project.key, sighting.subject)
    for expectation in writer.expectations(project.key):
        kept = cleaned_expectation(known, expectation)
        if kept is None:
            writer.remove_expectation(project.key, expectation.id)
        elif kept != expectation:
            writer.put_expectation(project.key, kept)
    told = gaps.telling(writer.questions(project.key), known.texts, known.ids)
    writer.forget_questions(project.key, told)
    for key in sorted(known.keys):
        writer.forget(project.key, key)
    store = writer.store_id()
    buried = {tombstones.of_id(store, name) for name in known.ids}
    buried |= {tombstones.of_text(store, digest) for digest in known.digests}
    for digest in sorted(buried):
        writer.put_tombstone(project.key, digest)
