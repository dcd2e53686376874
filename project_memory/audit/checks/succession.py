"""Memories that another one has replaced."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import documents, relations
from project_memory.audit.evidence import Evidence, retrievable
from project_memory.audit.finding import Action, Finding, Severity
from project_memory.model import Memory, Status


def superseded(evidence: Evidence) -> Iterator[Finding]:
    """Find superseded memories that can be archived without changing how another is shown."""
    for memory in retrievable(evidence):
        if memory.status is not Status.SUPERSEDED or memory.pinned or is_needed(evidence, memory):
            continue
        direct = relations.live_successors(memory, evidence.memories.get)
        successors = relations.current_successors(memory, evidence.memories.get)
        kept = {*direct, *successors, *stand_ins(evidence, memory)}
        names = ", ".join(f"'{name}'" for name in successors)
        yield Finding(
            "superseded-removable",
            Severity.NOTE,
            memory.id,
            f"superseded by {names}; archive it",
            {"successors": successors},
            Action("archive", {"id": memory.id}, tuple(sorted(kept))),
        )


def is_needed(evidence: Evidence, memory: Memory) -> bool:
    """Return whether an older memory is shown as superseded only because this one is live.

    Whatever ends its life, archiving included, would show the older one as current again.

    Archived ones count too: brought back, they must not pass as current.
    """
    return any(successors == [memory.id] for successors in _successors_of_older(evidence, memory))


def stand_ins(evidence: Evidence, memory: Memory) -> set[str]:
    """Return the ids that must stay where this memory goes: what else supersedes the same."""
    shared = _successors_of_older(evidence, memory)
    return {name for names in shared if memory.id in names for name in names} - {memory.id}


def _successors_of_older(evidence: Evidence, memory: Memory) -> Iterator[list[str]]:
    """Yield, for each memory that this one supersedes, all of its live successors."""
    for name in documents.targets(memory.document, "supersedes"):
        older = evidence.memories.get(name)
        if older is not None:
            yield relations.live_successors(older, evidence.memories.get)
