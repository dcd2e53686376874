"""Memories that say the opposite of each other."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import documents, precedence
from project_memory.audit.evidence import Evidence, retrievable
from project_memory.audit.finding import Finding, Severity
from project_memory.model import Memory, Status


def linked(evidence: Evidence) -> Iterator[Finding]:
    """Find pairs of active memories that are linked as contradicting each other, each once."""
    for memory in retrievable(evidence):
        for name in documents.targets(memory.document, "contradicts"):
            other = evidence.memories.get(name)
            if other is not None and memory.id < name and _is_active(memory) and _is_active(other):
                believed = precedence.ordered([memory, other])[0].id
                yield Finding(
                    "contradiction",
                    Severity.WARNING,
                    memory.id,
                    f"contradicts '{name}', and readers are told to rely on '{believed}'; call "
                    "one of them wrong or stale, or let one supersede the other",
                    {"other": name, "believed": believed},
                )


def _is_active(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and not memory.archived
