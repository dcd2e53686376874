"""Memories that are linked as contradicting each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from factories import evidence, memory

from project_memory import audit
from project_memory.audit import Finding, Severity
from project_memory.model import Memory, Status


def pair(**second: Any) -> tuple[Memory, Memory]:
    def against(other: str) -> dict[str, Any]:
        return {"contradicts": [{"id": other, "reason": "they cannot both be"}]}

    return (
        memory(1, id="lake", relationships=against("moor")),
        memory(2, id="moor", relationships=against("lake"), **second),
    )


def test_a_pair_of_active_memories_is_told_once() -> None:
    assert audit.judge(evidence(*pair()), ["contradiction"]) == [
        Finding(
            "contradiction",
            Severity.WARNING,
            "lake",
            "contradicts 'moor', and readers are told to rely on 'lake'; call one of them wrong "
            "or stale, or let one supersede the other",
            {"other": "moor", "believed": "lake"},
        )
    ]


def test_the_finding_names_whom_readers_are_told_to_rely_on() -> None:
    (finding,) = audit.judge(evidence(*pair(updated_at="2026-02-27T00:00:00Z")), ["contradiction"])
    assert finding.evidence["believed"] == "moor"


@pytest.mark.parametrize("status", [Status.STALE, Status.WRONG])
def test_a_pair_of_which_one_is_not_active_is_settled(status: Status) -> None:
    settled = pair(status=status.value, own_status=status)
    assert audit.judge(evidence(*settled), ["contradiction"]) == []


def test_an_archived_memory_contradicts_nothing() -> None:
    lake, moor = pair()
    archived = replace(lake, archived_at="2026-02-01T00:00:00Z")
    assert audit.judge(evidence(archived, moor), ["contradiction"]) == []


def test_a_link_to_nothing_is_left_to_validation() -> None:
    assert audit.judge(evidence(pair()[0]), ["contradiction"]) == []
