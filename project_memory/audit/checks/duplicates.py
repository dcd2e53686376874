"""Memories that say one lesson twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from project_memory import documents, precedence
from project_memory.audit.evidence import Evidence, current
from project_memory.audit.finding import Action, Finding, Severity
from project_memory.duplicates import folding
from project_memory.model import Authority, Memory


def exact(evidence: Evidence) -> Iterator[Finding]:
    """Find memories of the same text; all but the most credible are to be merged into it."""
    for survivor, victims in _same_text(current(evidence)):
        for victim in victims:
            yield Finding(
                "duplicate",
                Severity.WARNING,
                victim.id,
                f"has the same text as '{survivor.id}'; merge it into that one",
                {"twin": survivor.id},
                _merge(evidence, victim, survivor),
            )


def near(evidence: Evidence) -> Iterator[Finding]:
    """Find pairs that say nearly the same; the less credible is to be merged into the other.

    Linked pairs are left alone, since someone has told the two apart, or made one of them; so are
    those that `exact` finds, to be judged by the one that stays.
    """
    paired = sorted({name for pair in evidence.twins for name in (pair.one, pair.other)})
    texts = _same_text(evidence.memories[name] for name in paired)
    same = {victim.id for _, victims in texts for victim in victims}
    for pair in evidence.twins:
        if pair.one in same or pair.other in same:
            continue
        survivor, victim = precedence.ordered(
            [evidence.memories[pair.one], evidence.memories[pair.other]]
        )
        if not _told_apart(survivor, victim):
            yield Finding(
                "near-duplicate",
                Severity.NOTE,
                victim.id,
                f"says nearly what '{survivor.id}' says ({pair.score:.2f}); merge it into that "
                "one, or link the two to say how they differ",
                {"twin": survivor.id, "score": pair.score},
                _merge(evidence, victim, survivor),
            )


def _same_text(memories: Iterable[Memory]) -> Iterator[tuple[Memory, list[Memory]]]:
    """Yield (the most credible, the others) of each set of several memories of one text."""
    sets: dict[str, list[Memory]] = defaultdict(list)
    for memory in memories:
        sets[documents.text_digest(memory.document)].append(memory)
    for found in sets.values():
        if len(found) > 1:
            survivor, *victims = precedence.ordered(found)
            yield survivor, victims


def _told_apart(one: Memory, other: Memory) -> bool:
    return any(
        link.target == other.id and link.kind != "related"
        for link in documents.links(one.document)
    )


def _merge(evidence: Evidence, victim: Memory, survivor: Memory) -> Action | None:
    # a merge would lose what these are kept for, so a person decides
    if victim.pinned or victim.document.get("standing"):
        return None
    if _puts_words(evidence, victim, survivor):
        return None
    return Action("merge", {"id": victim.id, "into": survivor.id}, keeps=(survivor.id,))


def _puts_words(evidence: Evidence, victim: Memory, survivor: Memory) -> bool:
    """Return whether a merge would make a person say what others wrote."""
    if victim.asserted_by is Authority.USER or survivor.asserted_by is not Authority.USER:
        return False
    said = survivor.document
    linked = any(link.target != survivor.id for link in documents.links(victim.document))
    return linked or folding.folded(said, victim.document, evidence.registry) != said
