"""What of an audit is acted on at once."""

from __future__ import annotations

from project_memory import audit
from project_memory.audit import Action, Finding, Severity


def archiving(subject: str, *keeps: str) -> Finding:
    action = Action("archive", {"id": subject}, keeps)
    return Finding("some-check", Severity.NOTE, subject, "it can go", action=action)


def subjects(*findings: Finding, limit: int = 50) -> list[str]:
    return [finding.subject for finding in audit.planned(findings, limit)]


def test_only_findings_with_an_action_are_acted_on() -> None:
    told = Finding("some-check", Severity.ERROR, "lake", "a person must look")
    assert subjects(told, archiving("moor")) == ["moor"]


def test_no_more_than_the_limit_is_acted_on_in_the_order_of_the_report() -> None:
    assert subjects(archiving("c"), archiving("a"), archiving("b"), limit=2) == ["c", "a"]


def test_one_subject_is_acted_on_once() -> None:
    assert subjects(archiving("a"), archiving("a")) == ["a"]


def test_of_two_halves_one_stays_whichever_comes_first() -> None:
    assert subjects(archiving("a", "b"), archiving("b", "a")) == ["a"]
    assert subjects(archiving("b", "a"), archiving("a", "b")) == ["b"]
    assert subjects(archiving("a"), archiving("b", "a")) == ["a"]
    assert subjects(archiving("b", "a"), archiving("a")) == ["b"]


def promoting(subject: str) -> Finding:
    action = Action("promote", {"id": subject, "tier": 2})
    return Finding("earned", Severity.NOTE, subject, "it was of use", action=action)


def test_moves_up_a_tier_count_for_nothing_and_come_in_their_place() -> None:
    found = (promoting("a"), archiving("b"), promoting("c"), archiving("d"))
    assert subjects(*found, limit=1) == ["a", "b", "c"]


def test_what_is_acted_on_otherwise_moves_up_another_time() -> None:
    assert subjects(promoting("a"), archiving("a"), promoting("b"), archiving("c", "b")) == [
        "a",
        "b",
        "c",
    ]


def test_what_leaks_a_secret_is_left_to_a_person() -> None:
    leak = Finding("secret", Severity.ERROR, "a", "it looks like a secret")
    assert subjects(leak, archiving("a"), archiving("b", "a"), archiving("c")) == ["c"]
