"""Facts that expired, were never settled, or say two things under one key."""

from __future__ import annotations

from typing import Any

import pytest
from factories import evidence, memory

from project_memory import audit
from project_memory.audit import Finding, Severity
from project_memory.model import Status

FACTS = ("contradictory-facts", "expired-fact", "old-assumption")


def found(**held: Any) -> list[Finding]:
    memories = [
        memory(key, id=name, remembered_facts=said, **more)
        for key, (name, (said, more)) in enumerate(held.items(), start=1)
    ]
    return audit.judge(evidence(*memories), FACTS)


def test_an_expired_fact_is_told_with_its_date() -> None:
    fact = {"fact": "the mirror is down", "expires": "2026-02-28"}
    assert found(lake=(["plain", fact], {})) == [
        Finding(
            "expired-fact",
            Severity.WARNING,
            "lake",
            "fact 2 expired on 2026-02-28; check it and set a later date, or set its status to "
            "deprecated",
            {"path": "$.remembered_facts[1]", "expires": "2026-02-28"},
        )
    ]


def test_a_fact_holds_on_its_last_day() -> None:
    assert found(lake=([{"fact": "the mirror is down", "expires": "2026-03-01"}], {})) == []


def test_two_values_of_one_key_are_told_with_the_other_memory() -> None:
    one, other = {"fact": "80", "key": "port"}, {"fact": "81", "key": "Port"}
    assert found(moor=([other], {}), lake=([one], {})) == [
        Finding(
            "contradictory-facts",
            Severity.WARNING,
            "moor",
            "key 'Port' has another value in 'lake'; set the status of the fact that does not "
            "hold to deprecated",
            {"path": "$.remembered_facts[0]", "key": "Port", "other": "lake"},
        )
    ]


def test_two_values_in_one_memory_are_told_so() -> None:
    (finding,) = found(lake=([{"fact": "80", "key": "a"}, {"fact": "81", "key": "a"}], {}))
    assert finding.message.startswith("key 'a' has another value in itself; ")


@pytest.mark.parametrize(
    "outdated",
    [
        {"status": "superseded"},
        {"status": "wrong", "own_status": Status.WRONG},
        {"archived_at": "2026-02-01T00:00:00Z"},
    ],
)
def test_what_readers_do_not_take_for_true_contradicts_nothing(outdated: dict[str, Any]) -> None:
    one, other = {"fact": "80", "key": "port"}, {"fact": "81", "key": "port"}
    assert found(lake=([one], {}), moor=([other], outdated)) == []


def test_an_assumption_is_old_after_ninety_days() -> None:
    fact = {"fact": "the cache is cold", "status": "assumption"}
    said = {"evidence": {"created_from_task": "t", "last_validated": "2025-11-30"}}
    assert found(lake=([fact], said)) == [
        Finding(
            "old-assumption",
            Severity.NOTE,
            "lake",
            "fact 1 has been an assumption since 2025-11-30; verify it, or deprecate it",
            {"path": "$.remembered_facts[0]", "since": "2025-11-30"},
        )
    ]
    said = {"evidence": {"created_from_task": "t", "last_validated": "2025-12-01"}}
    assert found(lake=([fact], said)) == []


def test_an_assumption_counts_from_its_own_date() -> None:
    fact = {"fact": "cold", "status": "assumption", "verified_at": "2026-02-01"}
    said = {"evidence": {"created_from_task": "t", "last_validated": "2020-01-01"}}
    assert found(lake=([fact], said)) == []
