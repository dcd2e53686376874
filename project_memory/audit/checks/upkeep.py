"""Memories that need a person's look: long unvalidated, reached by nothing, noisy, unexplained."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import documents
from project_memory.audit.checks import labels
from project_memory.audit.evidence import Evidence, current, days_since, retrievable
from project_memory.audit.finding import Finding, Severity
from project_memory.model import Status, Uses


def unvalidated(evidence: Evidence) -> Iterator[Finding]:
    """Find memories that nobody has validated for longer than the policy allows.

    Those whose day lies ahead, as a clock that was ahead left it, would never come of age.
    """
    for memory in current(evidence):
        last = memory.document["evidence"]["last_validated"]
        if days_since(evidence, last) < -1:  # east of Greenwich tomorrow has begun
            yield Finding(
                "unvalidated",
                Severity.NOTE,
                memory.id,
                f"was last validated on {last}, which lies ahead; validate it again, today",
                {"last_validated": last},
            )
        if days_since(evidence, last) > evidence.policy.validated_days:
            yield Finding(
                "unvalidated",
                Severity.NOTE,
                memory.id,
                f"last validated on {last}; check it against the code, and validate it again",
                {"last_validated": last},
            )


def orphans(evidence: Evidence) -> Iterator[Finding]:
    """Find memories without a link whose labels lead to no other memory, or to nearly all."""
    found = labels.use(evidence)
    for memory in current(evidence):
        names = memory.document["labels"]
        telling = (
            name
            for name in names
            if found.counts[name] > 1 and not labels.is_broad(evidence, found, name)
        )
        if not any(telling) and not any(documents.links(memory.document)):
            yield Finding(
                "orphan",
                Severity.NOTE,
                memory.id,
                "no link and no telling label leads to it; link it to what it bears on, or give "
                "it a label that others carry",
                {"labels": {name: found.counts[name] for name in names}},
            )


def noisy(evidence: Evidence) -> Iterator[Finding]:
    """Find memories that were shown often and never applied."""
    most = evidence.policy.noisy_surfaced
    for memory in current(evidence):
        uses = evidence.usage.total.get(memory.id, Uses())
        if uses.surfaced >= most and not uses.applied:
            yield Finding(
                "noisy",
                Severity.NOTE,
                memory.id,
                f"shown {most} times or more and never applied; say more exactly when it applies",
                {"surfaced": uses.surfaced, "surfaced_direct": uses.surfaced_direct},
            )


def without_pitfall(evidence: Evidence) -> Iterator[Finding]:
    """Find wrong memories that do not say what to beware of."""
    for memory in retrievable(evidence):
        if memory.status is Status.WRONG and not memory.document.get("pitfalls"):
            yield Finding(
                "wrong-without-pitfall",
                Severity.WARNING,
                memory.id,
                "it is wrong, and no pitfall says what to beware of; add one",
            )
