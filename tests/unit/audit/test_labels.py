"""Labels that do not earn their place."""

from __future__ import annotations

from factories import evidence, memory

from project_memory import audit
from project_memory.audit import Finding, Severity
from project_memory.model import Label, Registry

LABELS = Registry({name: Label(name) for name in ("area:lake", "kind:bug")})


def test_a_label_that_no_memory_carries_is_told() -> None:
    assert audit.judge(evidence(memory(), registry=LABELS), ["label-unused"]) == [
        Finding(
            "label-unused",
            Severity.NOTE,
            "area:lake",
            "no memory carries it; use it, or remove it",
        )
    ]


def test_a_label_of_an_archived_memory_is_used() -> None:
    archived = memory(labels=["area:lake", "kind:bug"], archived_at="2026-02-01T00:00:00Z")
    assert audit.judge(evidence(archived, registry=LABELS), ["label-unused"]) == []
