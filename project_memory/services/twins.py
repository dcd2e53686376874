"""Name the memories that say nearly what was just written; a hint, never a refusal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from project_memory import documents, duplicates
from project_memory.duplicates import Profile
from project_memory.model import Memory, NearDuplicate, Status
from project_memory.services.working_set import WorkingSet

_MOST_WRITTEN = 50
_MOST_LOOKED_AT = 8
_SUPERSEDES = "supersedes"


def note(work: WorkingSet) -> None:
    """Note the near-duplicates of every memory whose text a working set creates or changes.

    What each costs does not depend on the size of the store. Of a long batch the first 50 count;
    the audit looks at all.
    """
    written = [change.after for change in work.memory_changes() if change.is_of_text]
    fresh = [memory for memory in written if memory is not None and not memory.archived]
    if len(fresh) > _MOST_WRITTEN:
        work.notes.append(
            f"near-duplicates were looked for among the first {_MOST_WRITTEN} of {len(fresh)} "
            "texts; `project-memory audit --check near-duplicate` looks at all"
        )
        fresh = fresh[:_MOST_WRITTEN]
    keyed = work.bands(fresh)
    for memory in fresh:
        candidates = _candidates(work, memory.id, keyed)
        work.near_duplicates += _near(memory, candidates)


def _candidates(
    work: WorkingSet, name: str, keyed: dict[str, tuple[int, ...]]
) -> Iterator[Memory]:
    """Yield stored memories that share a band, the likest first, then those written along."""
    stored = work.near_text(keyed[name], _MOST_LOOKED_AT + 1)
    along = [other for other in keyed if not set(keyed[other]).isdisjoint(keyed[name])]
    for other in dict.fromkeys((*stored, *along)):
        found = work.find(other)
        if found is not None and found.id != name and not found.archived:
            yield found


def _near(memory: Memory, candidates: Iterable[Memory]) -> list[NearDuplicate]:
    mine = Profile(documents.lesson(memory.document))
    replaces = duplicates.speaks_of_replacement(mine.text)
    known = {link.target for link in documents.links(memory.document)}
    found = []
    for other in candidates:
        if other.id in known or other.status is Status.SUPERSEDED:
            continue
        alike = duplicates.likeness(mine, Profile(documents.lesson(other.document)))
        # what replaces a lesson differs from it in a name or a number: near, but no twin
        if alike.are_twins or (alike.is_near and replaces):
            suggested = _SUPERSEDES if replaces else None
            found.append(NearDuplicate(memory.id, other.id, alike.score, other.status, suggested))
    return sorted(found, key=lambda near: (-near.score, near.twin))
