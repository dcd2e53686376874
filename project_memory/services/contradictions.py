"""Say in the receipt where what was just written contradicts what is stored."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import documents
from project_memory.model import Memory, Status
from project_memory.services.working_set import WorkingSet

_NAMED = 3


def note(work: WorkingSet) -> None:
    """Note each key of facts under which a written memory and an active one say different things.

    Readers are told whom to believe (`disputes`); the writer is told that there is a choice. Pairs
    that a link records already are left out.
    """
    for change in work.memory_changes():
        memory = change.after
        if memory is not None and change.is_of_text and _is_active(memory):
            work.notes += _conflicts(work, memory)


def _conflicts(work: WorkingSet, memory: Memory) -> Iterator[str]:
    linked = set(documents.targets(memory.document, "contradicts"))
    names = {documents.fold(f["key"]): f["key"] for f in documents.keyed_facts(memory.document)}
    for key, value in documents.fact_values(memory.document):
        others = [
            name
            for name in work.other_values(key, value)
            if name not in linked | {memory.id} and _still_says_otherwise(work, name, key, value)
        ]
        if others:
            shown = ", ".join(f"'{name}'" for name in others[:_NAMED])
            more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
            yield (
                f"'{memory.id}' says of '{documents.quotable(names[key])}' something else than "
                f"{shown}{more}; set the status of the fact that does not hold to deprecated, or "
                "link the two with contradicts"
            )


def _still_says_otherwise(work: WorkingSet, name: str, key: str, value: str) -> bool:
    found = work.find(name)
    said = documents.fact_values(found.document) if found is not None else []
    return (
        found is not None and _is_active(found) and any(k == key and v != value for k, v in said)
    )


def _is_active(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and not memory.archived
