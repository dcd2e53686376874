"""Silence counts once a gate has passed; whatever speaks for a memory moves it up a tier."""

from __future__ import annotations

from typing import Any

import pytest
from factories import evidence, memory

from project_memory import audit
from project_memory.audit import Action, Finding, Policy, Severity
from project_memory.audit.policy import Gate, gate, with_values
from project_memory.model import Memory, Status, Usage, Uses

CODES = ("silent", "earned", "superseded-expired")
ASKED = {"2026-01-15": 49, "2026-01-16": 1}


def quiet(name: str = "quiet-one", key: int = 1, **fields: Any) -> Memory:
    """Return a memory that entered its tier sixty days before the moment of the evidence."""
    return memory(key, id=name, **{"tier_since": "2025-12-31T09:00:00Z", **fields})


def linked(*names: str, **fields: Any) -> Memory:
    return quiet(relationships={"depends_on": [{"id": name} for name in names]}, **fields)


def judged(*memories: Memory, questions: Any = None, uses: Any = None, **fields: Any) -> Any:
    usage = Usage({}, uses or {}, ASKED if questions is None else questions)
    return audit.judge(evidence(*memories, usage=usage, **fields), CODES)


def acts(found: list[Finding]) -> list[tuple[str, str]]:
    return [(f.code, f.subject) for f in found]


def test_what_every_question_passed_over_is_to_be_archived() -> None:
    assert judged(quiet()) == [
        Finding(
            "silent",
            Severity.NOTE,
            "quiet-one",
            "no question needed it since 2025-12-31; archive it",
            {
                "tier": 1,
                "tier_since": "2025-12-31T09:00:00Z",
                "gate": {"questions": 50, "days": 30},
                "direct": 0,
                "applied": 0,
                "days": 0,
                "links": 0,
            },
            Action("archive", {"id": "quiet-one"}),
        )
    ]


def test_what_was_of_use_moves_up() -> None:
    (found,) = judged(quiet(), uses={"quiet-one": Uses(surfaced_direct=2, applied=1, days=3)})
    assert found.code == "earned"
    assert found.action == Action("promote", {"id": "quiet-one", "tier": 2})
    assert found.message == "2 direct matches, 1 time applied, 3 days seen; move it up to tier 2"


@pytest.mark.parametrize(
    ("uses", "code"),
    [
        (Uses(surfaced=40, days=1, wrong=9), "silent"),
        (Uses(surfaced_direct=1), "earned"),
        (Uses(applied=1), "earned"),
        (Uses(days=2), "earned"),
    ],
)
def test_any_one_reason_is_enough(uses: Uses, code: str) -> None:
    assert acts(judged(quiet(), uses={"quiet-one": uses})) == [(code, "quiet-one")]


def test_two_links_to_retrievable_memories_are_enough() -> None:
    others = [memory(2, id="other-a"), memory(3, id="other-b", archived_at="2026-01-01T00:00:00Z")]
    young = [memory(2, id="other-a"), memory(3, id="other-b")]
    assert ("silent", "quiet-one") in acts(judged(linked("other-a", "other-b"), *others))
    assert ("earned", "quiet-one") in acts(judged(linked("other-a", "other-b"), *young))


@pytest.mark.parametrize(
    ("since", "questions"),
    [
        ("2025-12-31T09:00:00Z", {"2026-01-15": 49}),  # too few questions
        ("2025-12-31T09:00:00Z", {"2025-12-31": 50, "2026-01-15": 49}),  # too few since then
        ("2026-01-31T00:00:00Z", {"2026-02-15": 500}),  # too few days
    ],
)
def test_before_its_gate_has_passed_nothing_is_judged(since: str, questions: Any) -> None:
    assert judged(quiet(tier_since=since), questions=questions) == []


@pytest.mark.parametrize(
    ("tier", "questions", "days", "judged_at_all"),
    [
        (1, 50, 30, True),
        (2, 499, 180, False),
        (2, 500, 179, False),
        (2, 500, 180, True),
        (3, 599, 365, False),
        (3, 600, 364, False),
        (3, 600, 365, True),
        (7, 600, 365, True),
        (7, 600, 364, False),
    ],
)
def test_each_tier_has_its_gate_and_the_last_one_comes_back_yearly(
    tier: int, questions: int, days: int, judged_at_all: bool
) -> None:
    since = {30: "2026-01-30", 179: "2025-09-03", 180: "2025-09-02", 364: "2025-03-02",
             365: "2025-03-01"}[days]  # fmt: skip
    found = judged(quiet(tier=tier, tier_since=f"{since}T00:00:00Z"),
                   questions={"2026-02-28": questions})  # fmt: skip
    assert bool(found) is judged_at_all


def test_without_a_known_beginning_the_last_edit_is_one() -> None:
    old = {"tier_since": None, "updated_at": "2025-12-31T09:00:00Z"}
    assert acts(judged(quiet(**old))) == [("silent", "quiet-one")]


@pytest.mark.parametrize(
    "fields",
    [
        {"pinned": True},
        {"archived_at": "2026-01-31T09:30:00Z"},
        {"status": "wrong", "own_status": Status.WRONG},
        {"status": "superseded"},
    ],
)
def test_some_are_never_judged(fields: dict[str, Any]) -> None:
    assert judged(quiet(**fields)) == []


def test_what_the_policy_protects_is_not_judged() -> None:
    assert judged(quiet(), protected=frozenset({"quiet-one"})) == []


def test_what_keeps_another_one_outdated_stays() -> None:
    new = quiet(relationships={"supersedes": ["old-one"]})
    old = memory(
        2, id="old-one", status="superseded", relationships={"superseded_by": ["quiet-one"]},
        archived_at="2026-01-01T00:00:00Z",
    )  # fmt: skip
    assert judged(new, old) == []


def superseded(name: str = "old-one", **fields: Any) -> Memory:
    relationships = {"superseded_by": ["quiet-one"]}
    shown = {"status": "superseded", "archived_at": "2025-12-01T00:00:00Z"}
    return memory(2, id=name, relationships=relationships, **{**shown, **fields})


def expired(old: Memory, **fields: Any) -> list[Finding]:
    policy = Policy(delete_superseded=True)
    new = memory(1, id="quiet-one", relationships={"supersedes": [old.id]})
    return judged(new, old, **{"policy": policy, **fields})


def test_archived_and_superseded_memories_are_deleted_after_their_grace() -> None:
    assert expired(superseded()) == [
        Finding(
            "superseded-expired",
            Severity.NOTE,
            "old-one",
            "superseded, and archived on 2025-12-01; delete it, history keeps its text",
            {"archived_at": "2025-12-01T00:00:00Z", "successors": ["quiet-one"]},
            Action("delete", {"id": "old-one"}),
        )
    ]


def test_nothing_is_deleted_unless_the_policy_says_so_or_within_the_grace() -> None:
    assert expired(superseded(), policy=Policy()) == []
    assert expired(superseded(archived_at="2025-12-02T00:00:00Z")) == []
    assert expired(superseded(archived_at=None)) == []
    assert expired(superseded(pinned=True)) == []
    assert expired(superseded(), protected=frozenset({"old-one"})) == []
    assert expired(superseded(status="active")) == []


def test_gates_are_replaced_one_by_one() -> None:
    policy = with_values(Policy(), {"gate": ["1:5:3", "4:9:700"]}, "a test")
    gates = [gate(policy, tier) for tier in (1, 2, 3, 4, 5)]
    assert gates == [Gate(5, 3), Gate(500, 180), Gate(600, 365), Gate(9, 700), Gate(9, 700)]
