"""Memories that need a person's look."""

from __future__ import annotations

from typing import Any

from factories import evidence, memory

from project_memory import audit
from project_memory.audit import Finding, Policy, Severity
from project_memory.model import Memory, Status, Usage, Uses


def validated(day: str, **fields: Any) -> Memory:
    said = {"created_from_task": "t", "last_validated": day}
    return memory(evidence=said, **fields)


def test_a_memory_is_to_be_validated_again_after_a_year() -> None:
    assert audit.judge(evidence(validated("2025-02-28")), ["unvalidated"]) == [
        Finding(
            "unvalidated",
            Severity.NOTE,
            "sqlite-locked",
            "last validated on 2025-02-28; check it against the code, and validate it again",
            {"last_validated": "2025-02-28"},
        )
    ]
    assert audit.judge(evidence(validated("2025-03-01")), ["unvalidated"]) == []


def test_the_policy_says_how_long_a_validation_holds() -> None:
    known = evidence(validated("2026-02-01"), policy=Policy(validated_days=27))
    assert [f.code for f in audit.judge(known, ["unvalidated"])] == ["unvalidated"]


def test_what_is_not_current_needs_no_validation() -> None:
    archived = validated("2020-01-01", archived_at="2026-02-01T00:00:00Z")
    superseded = validated("2020-01-01", id="lake", status="superseded")
    assert audit.judge(evidence(archived, superseded), ["unvalidated"]) == []


def test_a_memory_that_nothing_leads_to_is_an_orphan() -> None:
    lonely = memory(1, id="lake", labels=["area:lake"])
    joined = [memory(key, id=f"moor-{key}", labels=["area:moor"]) for key in (2, 3)]
    assert audit.judge(evidence(lonely, *joined), ["orphan"]) == [
        Finding(
            "orphan",
            Severity.NOTE,
            "lake",
            "no link and no telling label leads to it; link it to what it bears on, or give it a "
            "label that others carry",
            {"labels": {"area:lake": 1}},
        )
    ]


def test_a_link_leads_to_a_memory() -> None:
    links = {"related": [{"id": "moor", "reason": "both are wet"}]}
    known = evidence(memory(1, id="lake", labels=["area:lake"], relationships=links))
    assert audit.judge(known, ["orphan"]) == []


def test_a_label_that_nearly_all_carry_leads_nowhere() -> None:
    crowd = [memory(key, id=f"moor-{key}", labels=["kind:bug", "area:a"]) for key in range(1, 20)]
    lonely = memory(20, id="lake", labels=["kind:bug"])
    known = evidence(lonely, *crowd, policy=Policy(label_percent=95))
    assert [f.subject for f in audit.judge(known, ["orphan"])] == ["lake"]
    known = evidence(lonely, *crowd, policy=Policy(label_percent=100))
    assert audit.judge(known, ["orphan"]) == []


def test_a_memory_shown_often_and_never_applied_is_noisy() -> None:
    usage = Usage({"sqlite-locked": Uses(surfaced=50, surfaced_direct=3)})
    assert audit.judge(evidence(memory(), usage=usage), ["noisy"]) == [
        Finding(
            "noisy",
            Severity.NOTE,
            "sqlite-locked",
            "shown 50 times or more and never applied; say more exactly when it applies",
            {"surfaced": 50, "surfaced_direct": 3},
        )
    ]


def test_what_was_applied_once_or_shown_seldom_is_not_noisy() -> None:
    for uses in (Uses(surfaced=500, applied=1), Uses(surfaced=49), Uses()):
        known = evidence(memory(), usage=Usage({"sqlite-locked": uses}))
        assert audit.judge(known, ["noisy"]) == []


def test_a_wrong_memory_must_say_what_to_beware_of() -> None:
    wrong = {"status": "wrong", "own_status": Status.WRONG}
    silent = memory(1, id="lake", **wrong)
    told = memory(2, id="moor", pitfalls=["the ice is thin"], **wrong)
    assert audit.judge(evidence(silent, told), ["wrong-without-pitfall"]) == [
        Finding(
            "wrong-without-pitfall",
            Severity.WARNING,
            "lake",
            "it is wrong, and no pitfall says what to beware of; add one",
        )
    ]
