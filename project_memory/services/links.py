"""Write both sides of a link at once; the only place that changes relationships."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import replace

from project_memory import documents, relations
from project_memory.documents import Link
from project_memory.errors import InvalidDocument, InvalidInput, NotFound
from project_memory.model import Declared, Document, Memory
from project_memory.services.working_set import WorkingSet


def add(work: WorkingSet, source_id: str, link: Link, event: str = "linked") -> None:
    """Add a link and its mirror, or give an existing one another reason.

    Raises:
        InvalidInput: the kind is unknown.
        InvalidDocument: the link leads to its own source, to nothing, or closes a cycle.
    """
    check_kind(link.kind)
    source = work.get(source_id)
    target = _target(work, source.id, link)
    link = link if target.id == link.target else replace(link, target=target.id)
    if documents.has_link(source.document, link):
        return
    _refuse_cycle(work, source.id, link)
    declared = _in_order(_declare(source.declared, link, work.actor.name))
    document = documents.with_link(source.document, link)
    work.put(replace(source, document=document, declared=declared), event, authored=True)
    mirrored = documents.with_link(target.document, relations.mirror(source.id, link))
    work.put(replace(target, document=mirrored), event, authored=False)


def remove(work: WorkingSet, source_id: str, kind: str, target_id: str) -> None:
    """Remove a link and its mirror.

    Raises:
        InvalidInput: the kind is unknown.
        NotFound: there is no such link.
    """
    check_kind(kind)
    source = work.get(source_id)
    found = work.find(target_id) or (work.find(work.redirect(target_id) or ""))
    target_id = found.id if found else target_id
    if not any((k.kind, k.target) == (kind, target_id) for k in documents.links(source.document)):
        raise NotFound(
            f"'{source.id}' has no {kind} link to '{target_id}'; "
            f"`project-memory show {source.id}` lists its links"
        )
    _drop(work, source, kind, target_id, authored=True)
    if found is not None:
        _drop(work, found, relations.KINDS[kind].inverse, source.id, authored=False)


def remove_all(work: WorkingSet, memory_id: str) -> None:
    """Remove every link of a memory, on both sides."""
    memory = work.get(memory_id)
    for link in documents.links(memory.document):
        remove(work, memory_id, link.kind, link.target)


def retarget(work: WorkingSet, neighbour_id: str, old_id: str, new_id: str) -> None:
    """Let a neighbour's links lead to the new id of a renamed memory."""
    neighbour = work.get(neighbour_id)
    moved = [
        replace(link, target=new_id) if link.target == old_id else link
        for link in documents.links(neighbour.document)
    ]
    declared = {
        kind: {(new_id if target == old_id else target): who for target, who in targets.items()}
        for kind, targets in neighbour.declared.items()
    }
    work.put(_relinked(neighbour, moved, declared), "mirrored", authored=False)


def refuse_twice(document: Document) -> None:
    """Refuse a document that names one kind and target twice.

    Raises:
        InvalidDocument: with every link given twice.
    """
    seen: set[tuple[str, str]] = set()
    twice = []
    for link in documents.links(document):
        if (link.kind, link.target) in seen:
            twice.append(relations.duplicate_link(document["id"], link))
        seen.add((link.kind, link.target))
    if twice:
        raise InvalidDocument(twice)


def check_kind(kind: str) -> None:
    """Refuse an unknown kind of link, naming the nearest.

    Raises:
        InvalidInput: `kind` is not in `relations.KINDS`.
    """
    if kind in relations.KINDS:
        return
    near = difflib.get_close_matches(kind, relations.KINDS, n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise InvalidInput(f"no kind of link '{kind}'; {hint}kinds: {', '.join(relations.KINDS)}")


def checked_reason(kind: str, reason: str | None) -> str | None:
    """Return the reason to store with a link of this kind; None where the kind carries none.

    Raises:
        InvalidInput: the kind is unknown, or needs a reason and there is none.
    """
    check_kind(kind)
    given = (reason or "").strip() or None
    match relations.KINDS[kind].reason:
        case relations.Reason.NONE:
            return None
        case relations.Reason.REQUIRED if given is None:
            raise InvalidInput(
                f"a {kind} link needs a reason; say in one sentence, readable from both sides, "
                "what connects the two (--reason)"
            )
    return given


def restore_declared(work: WorkingSet, old: Memory) -> None:
    """Attribute a memory's links, where they are back, to whoever declared them before."""
    now = work.find(old.id)
    if now is None:
        return
    known = set(documents.links(old.document))
    declared: dict[str, dict[str, str]] = {}
    for link in documents.links(now.document):
        source = old.declared if link in known else now.declared
        actor = source.get(link.kind, {}).get(link.target)
        if actor is not None:
            declared.setdefault(link.kind, {})[link.target] = actor
    restored = _relinked(now, documents.links(now.document), declared)
    if restored != now:
        work.put(restored, "restored", authored=False)


def without_links(memory: Memory) -> Memory:
    """Return a memory stripped of its links, as it is before they are added one by one."""
    return _relinked(memory, (), {})


def _target(work: WorkingSet, source_id: str, link: Link) -> Memory:
    found = work.find(link.target)
    if found is None:
        moved = work.redirect(link.target)
        found = work.find(moved) if moved else None
    if found is None:
        raise InvalidDocument([relations.dangling_link(source_id, link)])
    if found.id == source_id:
        raise InvalidDocument([relations.self_link(source_id, link.kind)])
    return found


def _refuse_cycle(work: WorkingSet, source_id: str, link: Link) -> None:
    direction = relations.acyclic_direction(source_id, link)
    if direction is None:
        return
    kind, start, end = direction
    back = relations.path(kind, end, start, work.find)
    if back is not None:
        raise InvalidDocument([relations.cycle_problem(kind, [start, *back])])


def _without(memory: Memory, kind: str, target: str) -> list[Link]:
    return [k for k in documents.links(memory.document) if (k.kind, k.target) != (kind, target)]


def _drop(work: WorkingSet, memory: Memory, kind: str, target: str, *, authored: bool) -> None:
    declared = {
        k: {t: who for t, who in targets.items() if (k, t) != (kind, target)}
        for k, targets in memory.declared.items()
    }
    changed = _relinked(memory, _without(memory, kind, target), declared)
    work.put(changed, "unlinked", authored=authored)


def _declare(declared: Declared, link: Link, actor: str) -> Declared:
    return {**declared, link.kind: {**declared.get(link.kind, {}), link.target: actor}}


def _relinked(
    memory: Memory, held: Iterable[Link], declared: Mapping[str, Mapping[str, str]]
) -> Memory:
    document = documents.with_links(memory.document, held)
    return replace(memory, document=document, declared=_in_order(declared))


def _in_order(declared: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    kept = {kind: dict(sorted(targets.items())) for kind, targets in declared.items() if targets}
    return dict(sorted(kept.items()))
