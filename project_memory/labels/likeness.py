"""Labels that resemble others: near ones to suggest, twins to refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from project_memory.labels.form import prefix
from project_memory.model import Registry

_NEAR = 0.65
_TYPO_LENGTH = 6


def near(registry: Registry, label: str) -> list[str]:
    """Return up to three other registered labels that could be meant, best first."""
    best: dict[str, float] = {}
    for name, target in _names(registry):
        if target != label and not registry.labels[target].deprecated:
            best[target] = max(best.get(target, 0.0), _likeness(label, name))
    ranked = sorted((-score, name) for name, score in best.items() if score >= _NEAR)
    return [name for _, name in ranked[:3]]


def near_twin(registry: Registry, label: str) -> str | None:
    """Return the registered label that says the same in another spelling, or None.

    Twins share a prefix and differ by plural, hyphens, word order or one typing error. A number
    tells labels apart: ``signal:e0277`` is no twin of ``signal:e0278``.
    """
    twins = (
        target
        for name, target in _names(registry)
        if target != label and prefix(name) == prefix(label) and _is_twin(name, label)
    )
    return min(twins, default=None)


def _names(registry: Registry) -> Iterator[tuple[str, str]]:
    for label in registry.labels.values():
        yield label.name, label.name
        for alias in label.aliases:
            yield alias, label.name


def _likeness(one: str, other: str) -> float:
    ours, theirs = _words(one), _words(other)
    shared = len(ours & theirs) / max(1, len(ours | theirs))
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    alike = matcher.ratio() if matcher.real_quick_ratio() >= _NEAR else 0.0
    return max(alike, shared)


def _words(label: str) -> set[str]:
    return {_singular(word) for word in label.rpartition(":")[2].split("-")}


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "su" else word


def _is_twin(one: str, other: str) -> bool:
    if _numbers(one) != _numbers(other):
        return False
    ours, theirs = one.rpartition(":")[2], other.rpartition(":")[2]
    joined = _singular(ours.replace("-", "")) == _singular(theirs.replace("-", ""))
    long_enough = min(len(ours), len(theirs)) >= _TYPO_LENGTH
    return joined or _words(one) == _words(other) or (long_enough and _one_typo(ours, theirs))


def _numbers(label: str) -> list[str]:
    return sorted(re.findall("[0-9]+", label))


def _one_typo(one: str, other: str) -> bool:
    """Return whether one edit turns one into the other (Damerau 1964: four kinds of edit)."""
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if start is None:
        return abs(len(one) - len(other)) == 1
    a, b = one[start:], other[start:]
    swapped = a[:2] == b[1::-1] and a[2:] == b[2:]
    return swapped or a[1:] == b[1:] or a[1:] == b or a == b[1:]
