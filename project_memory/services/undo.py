"""Take back a revision, or put a memory back to one of its versions, as a further change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from project_memory import access, documents, relations
from project_memory.documents import Link
from project_memory.errors import Conflict, InvalidDocument, MemoryExists, NotFound
from project_memory.model import (
    Actor,
    Authority,
    Memory,
    MemoryChange,
    Revision,
)
from project_memory.ports import Reader
from project_memory.services import expecting, links, undo_ids, undo_labels
from project_memory.services.working_set import WorkingSet

_DERIVED = ("relationships", "status")
_BESIDE = ("own_status", "archived_at", "pinned", "tier", "asserted_by")


def last_revision(reader: Reader, project: int, actor: Actor) -> Revision:
    """Return the newest revision of an actor that is no undo and was not taken back.

    Raises:
        NotFound: there is none.
    """
    taken_back: set[int] = set()
    for revision in reader.revisions(project, newest_first=True):
        if revision.undoes is not None:
            if revision.number not in taken_back:
                taken_back.add(revision.undoes)
        elif _can_be_meant(revision, actor) and revision.number not in taken_back:
            return revision
    raise NotFound(
        f"'{actor.name}' has nothing to undo in this project; "
        "`project-memory history list` shows every revision"
    )


def _can_be_meant(revision: Revision, actor: Actor) -> bool:
    """Return whether "my last operation" may be this one: a change, not the project's making."""
    return (
        revision.actor.name == actor.name
        # an agent goes by its person's name where it was given none of its own
        and access.speaks_for(actor, revision.actor.authority)
        and revision.operation != "init"
        and (bool(revision.changes) or revision.operation == "purge")
    )


def undo(work: WorkingSet, revision: Revision) -> None:
    """Take back everything a revision did.

    Documents come back as they were, byte for byte, while versions move on. Links that are no
    longer legal are named in the receipt.

    Raises:
        Conflict: something the revision touched has changed since, or it is a purge.
    """
    if revision.operation == "purge":
        raise Conflict(
            f"revision {revision.number} is a purge, which nothing takes back; name an earlier "
            "revision to undo that one (--revision)"
        )
    work.taken_back = access.speaks_for(work.actor, revision.actor.authority)
    changes = [c for c in revision.changes if isinstance(c, MemoryChange)]
    _refuse_changed(work, revision.number, changes)
    undo_labels.put_registry_back(work, revision)
    expecting.put_back(work, revision)
    relinked = [change for change in changes if _is_relinked(change)]
    for source, link in _differences(relinked, lambda c: (c.after, c.before)):
        _drop_link(work, source, link)
    undo_ids.free(work, changes)
    for change in sorted(changes, key=_turn):
        _put_back(work, change, revision.actor)
    for source, link in _differences(relinked, lambda c: (c.before, c.after)):
        _try_link(work, source, link)
    for change in relinked:
        if change.before is not None:
            links.restore_declared(work, change.before)
    undo_labels.put_prefixes_back(work, revision)
    undo_labels.refuse_carried(work, revision)


def revert_to(work: WorkingSet, memory_id: str, version: int) -> None:
    """Put a memory back to one of its versions. See `revert`.

    Raises:
        NotFound: there is no such memory or no such version.
    """
    revert(work, memory_id, work.memory_at(memory_id, version))


def revert(work: WorkingSet, memory_id: str, old: Memory) -> None:
    """Put a memory's own text back to what it was; links and status stay as they are.

    A deleted memory comes back with those of its links that are still legal.
    """
    current = work.find(memory_id) or work.of_key(old.key)
    if current is None:
        current = _bring_back(work, old, None)
        for link in documents.links(old.document):
            _try_link(work, current.id, link)
        return
    text = {k: v for k, v in old.document.items() if k not in (*_DERIVED, "id")}
    text = undo_labels.with_known_labels(work, old.id, text)
    kept = {k: current.document[k] for k in (*_DERIVED, "id")}
    if current.document.get("status_reason") and "status_reason" not in text:
        kept["status_reason"] = current.document["status_reason"]
    document = documents.canonical({**text, **kept})
    if document == current.document:
        return
    asserted = access.asserted_after_edit(work.actor)
    work.put(replace(current, document=document, asserted_by=asserted), "reverted", authored=True)


def _turn(change: MemoryChange) -> int:
    """Return when a change is taken back: what was made goes first, what was deleted last."""
    if change.before is None:
        return 0
    return 2 if change.after is None else 1


def _refuse_changed(work: WorkingSet, number: int, changes: Sequence[MemoryChange]) -> None:
    arrived = undo_ids.arrived(changes)
    for change in changes:
        if change.after is None:
            holder = work.find(change.id)
            if holder is not None and holder.key not in arrived:
                raise _conflict(number, change.id, "there is a memory of that id again")
            if (back := work.of_key(change.key)) is not None:
                raise _conflict(number, change.id, f"it is back as '{back.id}'")
            continue
        now = work.find(change.after.id)
        if now is None or now.key != change.key:
            if _is_mirror_only(change) or undo_labels.is_relabelled(change):
                continue
            raise _conflict(number, change.after.id, "it was renamed or deleted since")
        fields = [] if undo_labels.is_relabelled(change) else sorted(_changed_fields(change, now))
        if fields:
            raise _conflict(number, now.id, f"changed since: {', '.join(fields)}")


def _is_relinked(change: MemoryChange) -> bool:
    before, after = change.before, change.after
    if before is None or after is None or before.id != after.id:
        return True
    links_before, links_after = (m.document["relationships"] for m in (before, after))
    return bool(links_before != links_after or before.declared != after.declared)


def _is_mirror_only(change: MemoryChange) -> bool:
    before, after = change.before, change.after
    return before is not None and after is not None and _own(before) == _own(after)


def _changed_fields(change: MemoryChange, now: Memory) -> set[str]:
    """Return the fields that the revision set and that are different again."""
    before, after = change.before, change.after
    assert after is not None
    if before is None:
        return set(documents.diff(_own(after), _own(now)))
    touched = set(documents.diff(_own(before), _own(after)))
    return touched & set(documents.diff(_own(after), _own(now)))


def _own(memory: Memory) -> dict[str, Any]:
    text = {k: v for k, v in memory.document.items() if k not in _DERIVED}
    beside = {name: getattr(memory, name) for name in _BESIDE if name != "asserted_by"}
    return {**text, **beside}


def _conflict(number: int, memory_id: str, why: str) -> Conflict:
    return Conflict(
        f"revision {number} cannot be undone: '{memory_id}' is not as it left it ({why}); "
        f"undo the later change first, or use `project-memory history revert {memory_id}`"
    )


def _differences(
    changes: Iterable[MemoryChange],
    sides: Callable[[MemoryChange], tuple[Memory | None, Memory | None]],
) -> list[tuple[str, Link]]:
    """Return (source, link) for the links that only the first side has, each link once.

    The side that declared a link speaks for it, so that only its version moves.
    """
    found: dict[tuple[str, Link], bool] = {}
    for change in changes:
        having, lacking = sides(change)
        for link in _held(having) - _held(lacking):
            assert having is not None
            declared = link.target in having.declared.get(link.kind, {})
            found[having.id, link] = declared
    chosen: dict[frozenset[tuple[str, Link]], tuple[str, Link]] = {}
    for source, link in sorted(found, key=lambda k: (not found[k], k[0], k[1].kind, k[1].target)):
        back = (link.target, relations.mirror(source, link))
        chosen.setdefault(frozenset({(source, link), back}), (source, link))
    return list(chosen.values())


def _drop_link(work: WorkingSet, source_id: str, link: Link) -> None:
    source = work.find(source_id)
    if source is not None and link in _held(source):
        links.remove(work, source_id, link.kind, link.target)


def _put_back(work: WorkingSet, change: MemoryChange, changer: Actor) -> None:
    before, after = change.before, change.after
    if after is None:
        assert before is not None
        _bring_back(work, before, changer)
    elif before is None:
        links.remove_all(work, after.id)
        work.remove(work.get(after.id))
    elif undo_labels.is_relabelled(change):
        undo_labels.put_carried_back(work, before, after)
    else:
        _put_text_back(work, before, after, changer)


def _put_text_back(work: WorkingSet, before: Memory, after: Memory, changer: Actor) -> None:
    now = work.keyed(after.key)
    if now is None:
        return
    if before.id != after.id:
        now = undo_ids.give_back(work, now, before.id, after.id)
    touched = documents.diff(_own(before), _own(after))
    text = {k: v for k, v in now.document.items() if k not in touched}
    text |= {k: v for k, v in before.document.items() if k in touched}
    beside = {name: getattr(before, name) for name in _BESIDE if name in touched}
    if "tier" in touched:
        beside["tier_since"] = before.tier_since
    ordered = documents.canonical(undo_labels.with_known_labels(work, now.id, text))
    if touched or before.asserted_by is not after.asserted_by:
        whole = _own(replace(now, document=ordered, **beside)) == _own(before)
        beside["asserted_by"] = _asserted(work, before, now, changer, whole=whole)
    restored = replace(now, document=ordered, **beside)
    if restored != now:
        work.put(restored, "restored", authored=bool(touched))


def _asserted(
    work: WorkingSet, before: Memory, now: Memory, changer: Actor, *, whole: bool
) -> Authority:
    """Return the authority behind a text that an undo leaves; `whole`: all of it is as before.

    What a person took away no agent brings back in the person's name, and what others wrote since
    stays theirs.
    """
    if not access.speaks_for(work.actor, changer.authority):
        return access.asserted_after_edit(work.actor)
    return before.asserted_by if whole else now.asserted_by


def _bring_back(work: WorkingSet, old: Memory, deleter: Actor | None) -> Memory:
    """Add a deleted memory again, without links, with all that was kept beside it.

    Without the one who deleted it, it is the word of who brings it back.

    Raises:
        MemoryExists: another memory has its id by now.
    """
    if work.find(old.id) is not None:
        raise MemoryExists(
            old.id, f"'{old.id}' cannot come back: another memory has that id; rename it first"
        )
    bare = links.without_links(old)
    document = undo_labels.with_known_labels(work, old.id, bare.document)
    document["status"] = old.own_status.value
    own = deleter is not None and access.speaks_for(work.actor, deleter.authority)
    asserted = old.asserted_by if own else access.asserted_after_edit(work.actor)
    restored = replace(bare, document=document, asserted_by=asserted)
    return work.add(restored, "restored", key=old.key)


def _try_link(work: WorkingSet, source_id: str, link: Link) -> None:
    if work.find(source_id) is None:
        source_id, link = link.target, relations.mirror(source_id, link)
    try:
        links.add(work, source_id, link, "restored")
    except NotFound as error:
        work.notes.append(f"link not brought back: {error}")
    except InvalidDocument as error:
        reasons = "; ".join(problem.message for problem in error.problems)
        work.notes.append(f"link not brought back: {reasons}")


def _held(memory: Memory | None) -> set[Link]:
    return set() if memory is None else set(documents.links(memory.document))
