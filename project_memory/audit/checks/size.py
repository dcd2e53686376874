"""Memories too large to be read whole, and standing rules too many to be told."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from project_memory import documents
from project_memory.audit.evidence import Evidence, current, retrievable
from project_memory.audit.finding import Finding, Severity
from project_memory.model import Memory


def oversize(evidence: Evidence) -> Iterator[Finding]:
    """Find memories that cost a reader more than the policy allows for one."""
    most = evidence.policy.document_tokens
    for memory in retrievable(evidence):
        cost = _tokens(memory)
        if cost > most:
            yield Finding(
                "oversize",
                Severity.WARNING,
                memory.id,
                f"costs a reader about {cost} tokens, more than {most}; split it into several "
                "lessons, and link them",
                {"tokens": cost, "most": most},
            )


def standing_overflow(evidence: Evidence) -> Iterator[Finding]:
    """Find standing rules that do not fit beside the others, by id, into their budget.

    They cost what a brief tells of them, which is less than the whole document.
    """
    most, spent = evidence.policy.standing_tokens, 0
    for memory in current(evidence):
        if not memory.document.get("standing"):
            continue
        cost = documents.tokens(_told(memory))
        if spent + cost > most:
            yield Finding(
                "standing-overflow",
                Severity.WARNING,
                memory.id,
                f"does not fit into the {most} tokens of all standing rules; shorten them, or let "
                "one stand no longer",
                {"tokens": cost, "spent": spent, "most": most},
            )
        else:
            spent += cost


def _told(memory: Memory) -> str:
    said = memory.document
    lists = (said.get(name, ()) for name in ("solution_pattern", "pitfalls"))
    parts = (said["description"], *documents.fact_texts(said), *chain.from_iterable(lists))
    return "; ".join((memory.id, *parts))


def _tokens(memory: Memory) -> int:
    return documents.tokens(documents.compact(memory.document))
