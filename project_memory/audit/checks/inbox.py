"""Proposals that nobody has decided on."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory.audit.evidence import Evidence, days_since
from project_memory.audit.finding import Finding, Severity


def overdue(evidence: Evidence) -> Iterator[Finding]:
    """Find proposals and notes that have waited for longer than the policy allows."""
    for proposal in evidence.proposals:
        if days_since(evidence, proposal.time) > evidence.policy.proposal_days:
            since = proposal.time[:10]
            yield Finding(
                "review-overdue",
                Severity.NOTE,
                f"proposal {proposal.number}",
                f"has waited since {since}; apply or reject it",
                {"number": proposal.number, "operation": proposal.operation, "since": since},
            )
