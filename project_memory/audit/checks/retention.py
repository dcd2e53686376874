"""What has earned its place: memories that every question passed over for long."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import documents, relations
from project_memory.audit.checks.succession import is_needed, stand_ins
from project_memory.audit.evidence import Evidence, current, days_since
from project_memory.audit.finding import Action, Finding, Severity
from project_memory.audit.policy import Gate, gate
from project_memory.model import Memory, Status, Uses


def silent_and_earned(evidence: Evidence) -> Iterator[Finding]:
    """Find what its tier's gate lets be judged: what to archive, and what moves up a tier.

    Silence counts once as many questions were asked and as many days have passed as the gate
    says, both since the memory entered the tier. What the policy protects is never judged.
    """
    for memory in current(evidence):
        if _is_protected(evidence, memory) or not _has_passed(evidence, memory):
            continue
        earned = _earned(evidence, memory)
        if earned:
            yield _earning(evidence, memory, earned)
        elif not is_needed(evidence, memory):
            yield _silent(evidence, memory)


def removable(evidence: Evidence) -> Iterator[Finding]:
    """Find archived memories to delete, where the policy wants what is superseded deleted."""
    if not evidence.policy.delete_superseded:
        return
    for name in sorted(evidence.memories):
        memory = evidence.memories[name]
        if not _is_over(evidence, memory) or is_needed(evidence, memory):
            continue
        successors = relations.current_successors(memory, evidence.memories.get)
        yield Finding(
            "superseded-expired",
            Severity.NOTE,
            name,
            f"superseded, and archived on {str(memory.archived_at)[:10]}; delete it, history "
            "keeps its text",
            {"archived_at": memory.archived_at, "successors": successors},
            Action("delete", {"id": name}),
        )


def due(evidence: Evidence) -> Iterator[Memory]:
    """Yield the memories that could be judged, were they not protected; by id."""
    yield from (memory for memory in current(evidence) if _has_passed(evidence, memory))
    if evidence.policy.delete_superseded:
        every = (evidence.memories[name] for name in sorted(evidence.memories))
        yield from (memory for memory in every if _is_over(evidence, memory))


def _is_over(evidence: Evidence, memory: Memory) -> bool:
    return (
        memory.archived_at is not None
        and memory.status is Status.SUPERSEDED
        and not _is_protected(evidence, memory)
        and days_since(evidence, memory.archived_at) >= evidence.policy.grace
    )


def _is_protected(evidence: Evidence, memory: Memory) -> bool:
    return memory.pinned or memory.id in evidence.protected


def _has_passed(evidence: Evidence, memory: Memory) -> bool:
    since, needed = _since(memory), gate(evidence.policy, memory.tier)
    if days_since(evidence, since) < needed.days:
        return False
    return evidence.usage.asked_since(since) >= needed.questions


def _since(memory: Memory) -> str:
    return memory.tier_since or memory.updated_at


def _earned(evidence: Evidence, memory: Memory) -> list[str]:
    """Return why a memory stays, as words; empty where nothing speaks for it."""
    policy, uses = evidence.policy, evidence.usage.tier.get(memory.id, Uses())
    links = len(_linked(evidence, memory))
    reasons = (
        (uses.surfaced_direct, policy.min_direct, "direct match", "direct matches"),
        (uses.applied, policy.min_applied, "time applied", "times applied"),
        (uses.days, policy.min_days, "day seen", "days seen"),
        (links, policy.min_links, "link", "links"),
    )
    return [
        f"{count} {one if count == 1 else many}"
        for count, least, one, many in reasons
        if count >= least
    ]


def _linked(evidence: Evidence, memory: Memory) -> set[str]:
    """Return the ids of unarchived memories that this one is linked to."""
    targets = {link.target for link in documents.links(memory.document)}
    known = (evidence.memories.get(target) for target in targets)
    return {other.id for other in known if other is not None and not other.archived}


def _silent(evidence: Evidence, memory: Memory) -> Finding:
    return Finding(
        "silent",
        Severity.NOTE,
        memory.id,
        f"no question needed it since {_since(memory)[:10]}; archive it",
        _facts(evidence, memory),
        Action("archive", {"id": memory.id}, tuple(sorted(stand_ins(evidence, memory)))),
    )


def _earning(evidence: Evidence, memory: Memory, earned: list[str]) -> Finding:
    tier = memory.tier + 1
    return Finding(
        "earned",
        Severity.NOTE,
        memory.id,
        f"{', '.join(earned)}; move it up to tier {tier}",
        _facts(evidence, memory),
        Action("promote", {"id": memory.id, "tier": tier}),
    )


def _facts(evidence: Evidence, memory: Memory) -> dict[str, object]:
    uses, needed = evidence.usage.tier.get(memory.id, Uses()), gate(evidence.policy, memory.tier)
    return {
        "tier": memory.tier,
        "tier_since": _since(memory),
        "gate": _shown(needed),
        "direct": uses.surfaced_direct,
        "applied": uses.applied,
        "days": uses.days,
        "links": len(_linked(evidence, memory)),
    }


def _shown(needed: Gate) -> dict[str, int]:
    return {"questions": needed.questions, "days": needed.days}
