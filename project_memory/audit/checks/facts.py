"""Facts that expired, were never settled, or say two things under one key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from project_memory.audit.evidence import Evidence, current, days_since
from project_memory.audit.finding import Finding, Severity
from project_memory.documents import quotable
from project_memory.model import Memory
from project_memory.validation import facts


def expired_and_contradictory(evidence: Evidence) -> Iterator[Finding]:
    """Find facts whose last day is over, and those whose key has another value elsewhere."""
    documents = {memory.id: memory.document for memory in current(evidence)}
    for fault in facts.faults(documents, evidence.now.date()):
        where = {"path": f"$.remembered_facts[{fault.position}]"}
        match fault:
            case facts.Expired(memory=name, expires=expires):
                yield Finding(
                    "expired-fact",
                    Severity.WARNING,
                    name,
                    f"fact {fault.position + 1} expired on {expires}; check it and set a later "
                    "date, or set its status to deprecated",
                    {**where, "expires": expires},
                )
            case facts.Conflict(memory=name, other=other):
                yield _contradiction(fault, where, "itself" if other == name else f"'{other}'")


def old_assumptions(evidence: Evidence) -> Iterator[Finding]:
    """Find assumptions that nobody has settled for longer than the policy allows."""
    for memory in current(evidence):
        for position, fact in enumerate(memory.document["remembered_facts"]):
            if isinstance(fact, Mapping) and fact.get("status") == "assumption":
                since = _stated(fact, memory)
                if days_since(evidence, since) > evidence.policy.assumption_days:
                    yield _assumption(memory.id, position, since)


def _contradiction(fault: facts.Conflict, where: Mapping[str, Any], named: str) -> Finding:
    return Finding(
        "contradictory-facts",
        Severity.WARNING,
        fault.memory,
        f"key '{quotable(fault.key)}' has another value in {named}; set the status of the fact "
        "that does not hold to deprecated",
        {**where, "key": quotable(fault.key), "other": fault.other},
    )


def _assumption(name: str, position: int, since: str) -> Finding:
    return Finding(
        "old-assumption",
        Severity.NOTE,
        name,
        f"fact {position + 1} has been an assumption since {since}; verify it, or deprecate it",
        {"path": f"$.remembered_facts[{position}]", "since": since},
    )


def _stated(fact: Mapping[str, Any], memory: Memory) -> str:
    """Return the date on which an assumption was last looked at."""
    return str(fact.get("verified_at") or memory.document["evidence"]["last_validated"])
