"""Name the memories that say nearly what was just written; a hint, never a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from project_memory import documents, duplicates
from project_memory.duplicates import Imprint, Profile
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
    imprints = work.imprints(fresh)
    for memory in fresh:
        work.near_duplicates += _near(work, memory, _candidates(work, memory, imprints))


def _candidates(work: WorkingSet, memory: Memory, imprints: Mapping[str, Imprint]) -> list[str]:
    """Return ids of memories that share a band and can be near.

    The likest stored ones come first, then those written along. Those that the memory is linked
    to are left out.
    """
    bands, signs = imprints[memory.id]
    known = {memory.id, *(link.target for link in documents.links(memory.document))}
    stored = work.near_text(bands, _MOST_LOOKED_AT + 1)
    mine = frozenset(bands)
    along = {o: other.signs for o, other in imprints.items() if not mine.isdisjoint(other.bands)}
    found = {**stored, **along}
    return [
        name
        for name, theirs in found.items()
        if name not in known and duplicates.may_be_near(signs, theirs)
    ]


def _near(work: WorkingSet, memory: Memory, candidates: Sequence[str]) -> list[NearDuplicate]:
    mine = Profile(documents.lesson(memory.document))
    lessons = work.lessons(candidates)
    replaces = bool(lessons) and duplicates.speaks_of_replacement(mine.text)
    found = []
    for name, lesson in lessons.items():
        other = work.get(name)
        if other.archived or other.status is Status.SUPERSEDED:
            continue
        alike = duplicates.likeness(mine, Profile(lesson))
        # what replaces a lesson differs from it in a name or a number: near, but no twin
        if alike.are_twins or (alike.is_near and replaces):
            suggested = _SUPERSEDES if replaces else None
            found.append(NearDuplicate(memory.id, name, alike.score, other.status, suggested))
    return sorted(found, key=lambda near: (-near.score, near.twin))
