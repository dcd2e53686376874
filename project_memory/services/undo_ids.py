"""Give memories back the ids that a revision took from them, though others have them by now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from project_memory.model import Memory, MemoryChange
from project_memory.services import curate
from project_memory.services.working_set import WorkingSet


def arrived(changes: Iterable[MemoryChange]) -> set[int]:
    """Return the keys of the memories that a revision made or gave another id."""
    return {
        change.key
        for change in changes
        if change.after is not None
        and (change.before is None or change.before.id != change.after.id)
    }


def free(work: WorkingSet, changes: Sequence[MemoryChange]) -> None:
    """Move aside the renamed memories that have an id which another one gets back.

    They wait under ids that nobody sees, until their own turn comes.
    """
    wanted = {change.before.id for change in changes if change.before is not None}
    for change in changes:
        if change.before is None or change.after is None:
            continue
        now = work.find(change.after.id)
        if now is not None and change.before.id != now.id and now.id in wanted:
            curate.move(work, now, f"moved-aside-{now.key}")


def give_back(work: WorkingSet, memory: Memory, old_id: str, new_id: str) -> Memory:
    """Return a memory under the id that it had before it was renamed from `old_id` to `new_id`.

    Raises:
        MemoryExists: the old id is another memory's by now, or leads to another one.
    """
    if work.find(old_id) is not None or work.redirect(old_id) not in (None, new_id):
        curate.refuse_taken(work, old_id)
    curate.move(work, memory, old_id)
    return work.get(old_id)
