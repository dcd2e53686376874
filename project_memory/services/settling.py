"""Close a working set over what follows from its changes: shown statuses, counters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from project_memory import access, documents, relations
from project_memory.model import Memory, MemoryChange
from project_memory.services.working_set import WorkingSet


def settle_statuses(work: WorkingSet) -> None:
    """Show on every touched memory, and on what they supersede, the status that links give it."""
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
            ids.update(documents.targets(memory.document, "supersedes"))
    return ids


def _has_moved(change: MemoryChange) -> bool:
    """Return whether a change touches what the shown status, own or of others, depends on."""
    before, after = change.before, change.after
    return before is None or after is None or _standing(before) != _standing(after)


def _standing(memory: Memory) -> tuple[Any, ...]:
    document = memory.document
    shown = (document["id"], document["status"], document["relationships"])
    return (*shown, memory.own_status, memory.archived)


def advance(work: WorkingSet) -> None:
    """Count versions on for every memory that is changed."""
    for change in work.memory_changes():
        before, after = change.before, change.after
        if after is None:
            continue
        counters = {} if before is None else _counters(work, before, after)
        since = _tier_since(work, before, after)
        if counters or since != after.tier_since:
            changed = replace(after, **counters, tier_since=since)
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
