"""Memories too large, and standing rules too many."""

from __future__ import annotations

import json

from factories import document, evidence, memory

from project_memory import audit
from project_memory.audit import Finding, Policy, Severity
from project_memory.model import Memory


def cost(of: Memory) -> int:
    """Return the tokens of a memory of ASCII text, four characters each, by hand."""
    return -(-len(json.dumps(of.document, separators=(",", ":"))) // 4)


def test_a_memory_over_the_limit_is_told_with_its_cost() -> None:
    large = memory(pitfalls=["x" * 2000, "y" * 2000, "z" * 2000, "w" * 2000])
    assert audit.judge(evidence(large), ["oversize"]) == [
        Finding(
            "oversize",
            Severity.WARNING,
            "sqlite-locked",
            f"costs a reader about {cost(large)} tokens, more than 2000; split it into several "
            "lessons, and link them",
            {"tokens": cost(large), "most": 2000},
        )
    ]


def test_the_limit_is_inclusive() -> None:
    known = evidence(memory(), policy=Policy(document_tokens=cost(memory())))
    assert audit.judge(known, ["oversize"]) == []


def test_wide_characters_cost_one_token_each() -> None:
    wide = memory(description="库" * 400)
    known = evidence(wide, policy=Policy(document_tokens=400 + len(json.dumps(document())) // 4))
    assert audit.judge(known, ["oversize"]) == []


def test_every_standing_rule_that_does_not_fit_is_named() -> None:
    rules = [memory(key, id=f"rule-{key}", standing=True) for key in range(1, 8)]
    told = (
        "rule-1; Writers on one SQLite file see 'database is locked' under load; "
        "a deferred transaction that upgrades fails at once"
    )
    each = -(-len(told) // 4)
    known = evidence(*rules, policy=Policy(standing_tokens=6 * each))
    assert audit.judge(known, ["standing-overflow"]) == [
        Finding(
            "standing-overflow",
            Severity.WARNING,
            "rule-7",
            f"does not fit into the {6 * each} tokens of all standing rules; shorten them, or let "
            "one stand no longer",
            {"tokens": each, "spent": 6 * each, "most": 6 * each},
        )
    ]


def test_an_archived_rule_takes_no_place() -> None:
    archived = {"archived_at": "2026-02-01T00:00:00Z"}
    rules = [memory(key, id=f"rule-{key}", standing=True, **archived) for key in range(1, 8)]
    known = evidence(*rules, policy=Policy(standing_tokens=1))
    assert audit.judge(known, ["standing-overflow"]) == []
