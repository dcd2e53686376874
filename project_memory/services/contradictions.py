"""Say in the receipt where what was just written contradicts what is stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from project_memory import documents
from project_memory.model import Memory, Status
from project_memory.services.working_set import WorkingSet

_NAMED = 3


def note(work: WorkingSet) -> None:
    """Note each key of facts under which a written memory and an active one say different things.

    Readers are told whom to believe (`disputes`); the writer is told that there is a choice. Pairs
    that a link records already are left out.
    """
    changed = [change for change in work.memory_changes() if change.is_of_text]
    written = [change.after for change in changed if change.after is not None]
    by_key: dict[str, set[str]] = defaultdict(set)
    for memory in written:
        for key, _ in documents.fact_values(memory.document):
            by_key[key].add(memory.id)
    for memory in filter(_is_active, written):
        work.notes += _conflicts(work, memory, by_key)


def _conflicts(work: WorkingSet, memory: Memory, written: Mapping[str, set[str]]) -> Iterator[str]:
    known = {memory.id, *documents.targets(memory.document, "contradicts")}
    names = {documents.fold(f["key"]): f["key"] for f in documents.keyed_facts(memory.document)}
    for key, value in documents.fact_values(memory.document):
        # what is written along is not found in the store yet
        candidates = {*work.other_values(key, value), *written.get(key, ())} - known
        others = [each for each in sorted(candidates) if _says_otherwise(work, each, key, value)]
        if others:
            shown = ", ".join(f"'{name}'" for name in others[:_NAMED])
            more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
            yield (
                f"'{memory.id}' says of '{documents.quotable(names[key])}' something else than "
                f"{shown}{more}; set the status of the fact that does not hold to deprecated, or "
                "link the two with contradicts"
            )


def _says_otherwise(work: WorkingSet, name: str, key: str, value: str) -> bool:
    found = work.find(name)
    if found is None or not _is_active(found):
        return False
    return any(k == key and v != value for k, v in documents.fact_values(found.document))


def _is_active(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and not memory.archived
