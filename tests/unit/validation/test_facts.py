"""Facts that expired, and facts that contradict each other, are warned of."""

from __future__ import annotations

from datetime import date
from typing import Any

from factories import document

from project_memory.model import Problem, Severity
from project_memory.validation import facts

TODAY = date(2026, 1, 31)


def problems(**held: list[Any]) -> list[Problem]:
    documents = {name: document(id=name, remembered_facts=said) for name, said in held.items()}
    return list(facts.problems(documents, TODAY))


def test_an_expired_fact_is_a_warning() -> None:
    fact = {"fact": "the mirror is down", "expires": "2026-01-30"}
    assert problems(lake=["plain", fact]) == [
        Problem(
            "expired-fact",
            "the fact expired on '2026-01-30'",
            "$.remembered_facts[1].expires",
            "lake",
            "check it again and set a later date, or set its status to deprecated",
            Severity.WARNING,
        )
    ]


def test_a_fact_holds_on_its_last_day() -> None:
    assert problems(lake=[{"fact": "the mirror is down", "expires": "2026-01-31"}]) == []


def test_a_deprecated_fact_neither_expires_nor_contradicts() -> None:
    old = {"fact": "80", "key": "port", "status": "deprecated", "expires": "2020-01-01"}
    assert problems(lake=[old, {"fact": "81", "key": "port"}]) == []


def test_an_expired_fact_does_not_contradict_its_successor() -> None:
    old = {"fact": "80", "key": "port", "expires": "2020-01-01"}
    found = problems(lake=[old, {"fact": "81", "key": "port"}])
    assert [problem.code for problem in found] == ["expired-fact"]


def test_two_values_of_one_key_are_a_warning_at_the_later() -> None:
    one, other = {"fact": "80", "key": "port"}, {"fact": "81", "key": "Port"}
    assert problems(moor=[other], lake=[one]) == [
        Problem(
            "contradictory-facts",
            "key 'Port' has another value in 'lake'",
            "$.remembered_facts[0]",
            "moor",
            "set the status of the one that does not hold to deprecated",
            Severity.WARNING,
        )
    ]


def test_two_values_in_one_memory_are_told_so() -> None:
    (found,) = problems(lake=[{"fact": "80", "key": "port"}, {"fact": "81", "key": "port"}])
    assert found.message == "key 'port' has another value earlier in the same memory"
    assert found.path == "$.remembered_facts[1]"


def test_one_value_in_two_spellings_is_no_contradiction() -> None:
    one, other = {"fact": "Port  80", "key": "port"}, {"fact": "port 80", "key": "port"}
    assert problems(lake=[one], moor=[other]) == []
