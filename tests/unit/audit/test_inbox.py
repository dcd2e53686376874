"""Proposals that nobody decides on are told."""

from __future__ import annotations

from factories import evidence

from project_memory import audit
from project_memory.audit import Finding, Severity
from project_memory.model import Actor, Authority
from project_memory.proposals import Proposal

BOT = Actor("bot", Authority.AGENT)


def test_a_proposal_is_overdue_after_two_weeks() -> None:
    waiting = (
        Proposal(3, BOT, "2026-02-14T23:00:00Z", 7, "update"),
        Proposal(4, BOT, "2026-02-15T00:00:00Z", 7, "note", note="a thought"),
    )
    assert audit.judge(evidence(proposals=waiting), ["review-overdue"]) == [
        Finding(
            "review-overdue",
            Severity.NOTE,
            "proposal 3",
            "has waited since 2026-02-14; apply or reject it",
            {"number": 3, "operation": "update", "since": "2026-02-14"},
        )
    ]
