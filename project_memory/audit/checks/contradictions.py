"""Memories that say the opposite of each other."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import documents
from project_memory.audit.evidence import Evidence, retrievable
from project_memory.audit.finding import Finding, Severity
from project_memory.model import Memory, Status


def linked(evidence: Evidence) -> Iterator[Finding]:
    """Find pairs of active memories that are linked as contradicting each other, each once."""
    for memory in retrievable(evidence):
        for other in documents.targets(memory.document, "contradicts"):
            pair = (memory, evidence.memories.get(other))
            if memory.id < other and all(_is_active(each) for each in pair):
                yield Finding(
                    "contradiction",
                    Severity.WARNING,
                    memory.id,
                    f"contradicts '{other}', and both are active; call one of them wrong or "
                    "stale, or let one supersede the other",
                    {"other": other},
                )


def _is_active(memory: Memory | None) -> bool:
    return memory is not None and memory.status is Status.ACTIVE and not memory.archived
