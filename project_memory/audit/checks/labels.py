"""Labels that do not earn their place in the registry, or that a memory lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from project_memory import labels
from project_memory.audit.checks import twins as spellings
from project_memory.audit.evidence import Evidence, current, retrievable
from project_memory.audit.finding import Action, Finding, Severity

_OFFERED = labels.starter().labels.keys()


@dataclass(frozen=True, slots=True)
class Use:
    """Label -> number of memories in retrieval that carry it, and how many memories there are."""

    counts: Counter[str]
    total: int


def use(evidence: Evidence) -> Use:
    """Count the labels of the memories in retrieval."""
    carried = [memory.document["labels"] for memory in retrievable(evidence)]
    return Use(Counter(chain.from_iterable(carried)), len(carried))


def is_broad(evidence: Evidence, found: Use, label: str) -> bool:
    """Return whether so many memories carry a label that it no longer tells them apart."""
    share = found.counts[label] * 100
    return _is_large(evidence, found) and share > found.total * evidence.policy.label_percent


def unused(evidence: Evidence) -> Iterator[Finding]:
    """Find labels that no memory carries, archived ones included.

    The labels that every project starts with, deprecated ones and those that others are narrower
    than have their use without a memory.
    """
    carried = {label for m in evidence.memories.values() for label in m.document["labels"]}
    broader = {label.broader for label in evidence.registry.labels.values()}
    for name in sorted(evidence.registry.labels.keys() - carried - broader - _OFFERED):
        if not evidence.registry.labels[name].deprecated:
            yield Finding(
                "label-unused",
                Severity.NOTE,
                name,
                "no memory carries it; use it, or remove it",
                action=Action("remove_label", {"label": name}),
            )


def rare(evidence: Evidence) -> Iterator[Finding]:
    """Find labels that a single memory carries, once the project is large enough to tell."""
    found = use(evidence)
    names = sorted(n for n, count in found.counts.items() if count == 1 and n not in _OFFERED)
    for name in names if _is_large(evidence, found) else ():
        carrier = next(m.id for m in retrievable(evidence) if name in m.document["labels"])
        yield Finding(
            "label-rare",
            Severity.NOTE,
            name,
            f"only '{carrier}' carries it; use a label that others share, or a tag",
            {"memory": carrier},
        )


def broad(evidence: Evidence) -> Iterator[Finding]:
    """Find labels that so many memories carry that they tell nothing apart."""
    found = use(evidence)
    for name in sorted(found.counts):
        if is_broad(evidence, found, name):
            percent = found.counts[name] * 100 // found.total
            yield Finding(
                "label-broad",
                Severity.NOTE,
                name,
                f"{percent} % of the memories carry it; add narrower labels below it",
                {"memories": found.counts[name], "of": found.total},
            )


def twins(evidence: Evidence) -> Iterator[Finding]:
    """Find pairs of labels that say the same in two spellings, each pair once."""
    found = use(evidence)
    for name, twin in spellings.pairs(evidence.registry):
        fewer, more = sorted((name, twin), key=lambda each: (found.counts[each], each))
        yield Finding(
            "label-twin",
            Severity.NOTE,
            fewer,
            f"a near-twin of '{more}'; merge the two, or describe how they differ",
            {"twin": more, "memories": found.counts[fewer], "of_twin": found.counts[more]},
        )


def missing(evidence: Evidence) -> Iterator[Finding]:
    """Find memories without a label of a prefix that the project requires."""
    for memory in current(evidence):
        held = {labels.prefix(label) for label in memory.document["labels"]}
        for prefix in evidence.policy.require_prefix:
            if prefix.removesuffix(":") not in held:
                yield Finding(
                    "label-missing",
                    Severity.WARNING,
                    memory.id,
                    f"no label with the prefix '{prefix.removesuffix(':')}'; add one",
                    {"prefix": prefix.removesuffix(":")},
                )


def _is_large(evidence: Evidence, found: Use) -> bool:
    return found.total >= evidence.policy.label_memories
