"""What checks judge: documents and what is known about them, gathered beforehand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType

from project_memory.audit.policy import Policy
from project_memory.duplicates import Pair
from project_memory.model import Memory, Registry, Status, Usage
from project_memory.proposals import Proposal
from project_memory.staleness import FileState
from project_memory.verdicts import Verdict

_CURRENT = frozenset({Status.ACTIVE.value, Status.STALE.value})


@dataclass(frozen=True, slots=True)
class Evidence:
    """A project as of one moment; a check is a function of this alone.

    Attributes:
        memories: By id, archived ones too; in the order of ids.
        registry: The labels of the project.
        usage: How often each memory was brought, and what was said of it.
        policy: What the project calls too old, too broad, too much.
        now: The present moment in UTC.
        protected: Ids that the policy's `protect` selects, of those that retention could judge.
        proposals: Those that wait for a decision, by number.
        twins: Pairs of current memories that say nearly the same, where they were looked for.
        files: Memory id -> those of its files that changed, moved or are missing, where a checkout
            was at hand.
        verdicts: Memory id -> its checks that do not hold, where a checkout was at hand.
    """

    memories: Mapping[str, Memory]
    registry: Registry
    usage: Usage
    policy: Policy
    now: datetime
    protected: frozenset[str] = frozenset()
    proposals: tuple[Proposal, ...] = ()
    twins: tuple[Pair, ...] = ()
    files: Mapping[str, tuple[FileState, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    verdicts: Mapping[str, tuple[Verdict, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )


def retrievable(evidence: Evidence) -> Iterator[Memory]:
    """Yield the memories that are not archived, by id."""
    return (memory for memory in evidence.memories.values() if memory.archived_at is None)


def current(evidence: Evidence) -> Iterator[Memory]:
    """Yield the memories that readers take for true: not archived, active or stale; by id."""
    every = evidence.memories.values()
    return (m for m in every if m.archived_at is None and m.document["status"] in _CURRENT)


def days_since(evidence: Evidence, moment: str) -> int:
    """Return how many days ago a date, or a UTC timestamp, was; negative in the future."""
    return (evidence.now.date() - date.fromisoformat(moment[:10])).days
