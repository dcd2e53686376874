"""Remove a memory and its text from everywhere in the store: for secrets that got in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from project_memory import documents
from project_memory.errors import Forbidden, InvalidInput, NotFound
from project_memory.model import Actor, Authority, Document, Memory, MemoryChange, Project
from project_memory.ports import Reader, Storage, Writer
from project_memory.services import clearing, curate, reasons, sweeping, tombstones
from project_memory.services.clearing import Telling
from project_memory.services.store import existing_project
from project_memory.services.traces import (
    Traces,
    abroad,
    elsewhere_too,
    is_copy,
    said,
    traces,
)
from project_memory.services.transaction import Order, commit_within

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
        elsewhere: Other projects whose history, proposals, expectations, findings or questions
            told of it and were cleared, sorted.
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
    elsewhere: tuple[str, ...]
    copies: tuple[str, ...]
    remains: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """How far a purge reaches.

    Attributes:
        administers: Whether a project beside the memory's own is the caller's to clear.
        leave_copies: Whether memories that hold a text of it today are left alone.
    """

    administers: Callable[[Project], bool] = lambda _: True
    leave_copies: bool = False


_EVERYWHERE = Within()


def purge(
    storage: Storage,
    project: str,
    order: Order,
    memory_id: str,
    *,
    host: str,
    within: Within = _EVERYWHERE,
) -> PurgeReport:
    """Remove a memory, deleted ones too, with its text in history; its id and text stay out.

    Purging what was purged already clears the space it left again. What is to be cleared after
    the commit is owed from then on, so that whoever comes next does it if this process is killed.
    `host` is the name of this machine.

    Raises:
        Forbidden: the actor is no person.
        NotFound: no memory ever had this id.
        InvalidInput: another memory holds what it says, and copies are not to be left.
    """
    reasons.check_reason(order.reason, "the reason")
    if order.dry_run:
        with storage.read() as reader:
            found = _found(reader, project, order, memory_id, within)
        return replace(found.report, dry_run=True)
    _refuse_others(order.actor)
    with storage.write() as writer:
        report = _purged(writer, project, order, memory_id, within)
        writer.owe_sweep()
        # before the commit: from here on nobody would look for them if this process were killed
        sweeping.forget_indexes(writer)
    return replace(report, remains=(*report.remains, *sweeping.finish(storage, host)))


def _refuse_others(actor: Actor) -> None:
    if actor.authority is not Authority.USER:
        raise Forbidden(
            "only a person can purge a memory; run `project-memory purge` at a terminal"
        )


@dataclass(frozen=True, slots=True)
class _Found:
    """What there is of a memory, before anything is changed.

    Attributes:
        project: Its own.
        known: Its traces, without what others hold today.
        own: Where its own project tells of it.
        others: The others that tell of it and are the caller's to clear, with where.
        told: Copies that say what it says, and do not only share a name with it.
        report: What a purge will say.
    """

    project: Project
    known: Traces
    own: Telling
    others: tuple[tuple[Project, Telling], ...]
    told: tuple[str, ...]
    report: PurgeReport


def _found(reader: Reader, name: str, order: Order, memory_id: str, within: Within) -> _Found:
    project = existing_project(reader, name)
    whole = _known(reader, project, memory_id)
    mine, foreign = _projects(reader, project, within)
    copies = list(_copies(reader, project, whole, mine))
    known = elsewhere_too(whole, [text for _, text in copies])
    own = clearing.telling(reader, project, known, order)
    others = _telling(reader, mine, known, order)
    beyond = sum(_knows(reader, each, whole, order) for each in foreign)
    report = PurgeReport(
        id=memory_id,
        project=project.name,
        revision=project.revision,
        dry_run=False,
        ids=tuple(sorted({*known.ids, memory_id})),
        unlinked=tuple(sorted(_linked(reader, project, known))),
        rewritten=own.revisions,
        proposals=tuple(proposal.number for proposal in own.proposals),
        elsewhere=tuple(each.name for each, _ in others),
        copies=tuple(place for place, _ in copies),
        remains=(_beyond(beyond),) if beyond else (),
    )
    told = tuple(place for place, document in copies if is_copy(said(whole), document))
    return _Found(project, known, own, others, told, report)


def _purged(
    writer: Writer, name: str, order: Order, memory_id: str, within: Within
) -> PurgeReport:
    found = _found(writer, name, order, memory_id, within)
    project, known, report = found.project, found.known, found.report
    if found.told and not within.leave_copies:
        raise _copied(memory_id, found.told)
    present = list(writer.memories(project.key, known.ids))
    for memory in present:
        commit_within(writer, name, order, partial(curate.delete, memory_id=memory.id))
    last = writer.revision(project.key)
    if known.keys and not present:
        last += 1
        writer.append_revision(project.key, clearing.bare(last, order, order.reason))
    clearing.clear(writer, project, known, found.own, range(project.revision + 1, last + 1))
    for other, told in found.others:
        clearing.clear(writer, other, abroad(known), told)
        writer.append_revision(other.key, clearing.bare(other.revision + 1, order, None))
    _bury(writer, project, known)
    return replace(report, revision=last)


def _projects(reader: Reader, own: Project, within: Within) -> tuple[list[Project], list[Project]]:
    """Return the projects that are the caller's to clear, the own one first, and the rest."""
    others = [project for project in reader.projects() if project.key != own.key]
    mine = [project for project in others if within.administers(project)]
    return [own, *mine], [project for project in others if project not in mine]


def _telling(
    reader: Reader, mine: list[Project], known: Traces, order: Order
) -> tuple[tuple[Project, Telling], ...]:
    found = ((p, clearing.telling(reader, p, abroad(known), order)) for p in mine[1:])
    return tuple((project, told) for project, told in found if told)


def _knows(reader: Reader, project: Project, whole: Traces, order: Order) -> bool:
    """Return whether a project that is not the caller's holds what the memory says."""
    known = abroad(said(whole))
    told = clearing.telling(reader, project, known, order)
    return bool(told) or any(True for _ in _copies(reader, project, known, [project]))


def _beyond(count: int) -> str:
    which = "a project that is" if count == 1 else f"{count} projects that are"
    return (
        f"{which} not yours to clear may hold a text of it; ask who administers the whole store "
        "to repeat the purge"
    )


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


def _linked(reader: Reader, project: Project, known: Traces) -> set[str]:
    return {
        link.target
        for memory in reader.memories(project.key, known.ids)
        for link in documents.links(memory.document)
    }


def _copies(
    reader: Reader, project: Project, known: Traces, among: list[Project]
) -> Iterator[tuple[str, Document]]:
    """Yield (place, what is said there) where something else holds a text of it today."""
    for each in sorted(among, key=lambda each: each.name):
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


def _bury(writer: Writer, project: Project, known: Traces) -> None:
    """Forget counters and redirects, and keep ids and texts from coming back."""
    for key in sorted(known.keys):
        writer.forget(project.key, key)
    store = writer.store_id()
    buried = {tombstones.of_id(store, name) for name in known.ids}
    buried |= {tombstones.of_text(store, digest) for digest in known.digests}
    for digest in sorted(buried):
        writer.put_tombstone(project.key, digest)
