"""Labels that do not earn their place in the registry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from project_memory.audit.evidence import Evidence
from project_memory.audit.finding import Finding, Severity


def unused(evidence: Evidence) -> Iterator[Finding]:
    """Find labels that no memory carries, archived ones included."""
    carried = Counter(
        label for memory in evidence.memories.values() for label in memory.document["labels"]
    )
    for name in sorted(evidence.registry.labels):
        if not carried[name]:
            yield Finding(
                "label-unused",
                Severity.NOTE,
                name,
                "no memory carries it; use it, or remove it",
            )
