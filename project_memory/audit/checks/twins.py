"""Find labels in two spellings without comparing every label with every other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from project_memory import labels
from project_memory.model import Label, Registry

_PLURAL = re.compile("(?:ies|y|s)+$")


def pairs(registry: Registry) -> list[tuple[str, str]]:
    """Return each pair of labels of which one is a near-twin of the other, sorted.

    Deprecated labels have been dealt with and are passed over.
    """
    alive = {n: label for n, label in registry.labels.items() if not label.deprecated}
    found = set()
    for group in _candidates(alive):
        some = Registry({name: alive[name] for name in group}, registry.single)
        for name in group:
            twin = labels.near_twin(some, name)
            if twin is not None:
                found.add((min(name, twin), max(name, twin)))
    return sorted(found)


def _candidates(alive: dict[str, Label]) -> list[list[str]]:
    """Return groups of labels that share a trait which every pair of near-twins shares."""
    groups: dict[str, set[str]] = {}
    for name, label in alive.items():
        for spelling in (name, *label.aliases):
            for trait in _traits(spelling):
                groups.setdefault(trait, set()).add(name)
    unique = {tuple(sorted(group)) for group in groups.values() if len(group) > 1}
    return [list(group) for group in sorted(unique)]


def _traits(spelling: str) -> Iterator[str]:
    """Yield what a label shares with each of its twins; others may share it too.

    Two texts that are one edit apart have a text in common that lacks at most one letter of each
    (Mor and Fraenkel 1982). Forms of a word, here English plurals, share how it begins.
    """
    prefix, _, value = spelling.partition(":")
    numbers = " ".join(sorted(re.findall("[0-9]+", spelling)))  # they tell labels apart
    same = f"{prefix} {numbers}"
    yield f"{same} words {' '.join(sorted({word[:3] for word in value.split('-')}))}"
    yield f"{same} joined {_PLURAL.sub('', value.replace('-', ''))}"
    yield f"{same} {value}"
    for position in range(len(value)):
        yield f"{same} {value[:position]}{value[position + 1 :]}"
