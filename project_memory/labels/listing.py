"""The registry as it is listed: by prefix, and as a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from project_memory.labels.form import prefix
from project_memory.model import Label, Registry


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered label as it is listed; `count` is None when nobody counted."""

    label: str
    description: str
    aliases: tuple[str, ...]
    broader: str | None
    deprecated: bool
    count: int | None
    replaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The labels of one prefix, by name, and whether a memory may carry only one of them."""

    prefix: str
    single: bool
    labels: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """One label in its place in the tree.

    Attributes:
        label: Its name.
        depth: Labels above it.
        broader: The label right above it, or None.
        description: What it is for.
        deprecated: Whether it is not to be used any more.
        count: Unarchived memories that carry it.
        total: Unarchived memories that carry it or any label below it.
    """

    label: str
    depth: int
    broader: str | None
    description: str
    deprecated: bool
    count: int
    total: int


def grouped(registry: Registry, counts: Mapping[str, int] | None = None) -> tuple[Group, ...]:
    """Return the labels by prefix, both sorted, each with the number of memories carrying it."""
    groups: dict[str, list[Entry]] = {}
    for name in sorted(registry.labels):
        label = registry.labels[name]
        count = None if counts is None else counts.get(name, 0)
        entry = Entry(
            name,
            label.description,
            label.aliases,
            label.broader,
            label.deprecated,
            count,
            label.replaced_by,
        )
        groups.setdefault(prefix(name), []).append(entry)
    return tuple(
        Group(name, name in registry.single, tuple(entries))
        for name, entries in sorted(groups.items())
    )


def tree(
    registry: Registry, counts: Mapping[str, int], totals: Mapping[str, int], top: str | None
) -> tuple[Branch, ...]:
    """Return the labels below `top`, itself first, or all of them; each before those below it.

    Labels of one place are sorted. In a registry that is broken, what has nothing above it that
    leads to the top begins a tree of its own, so that every label is listed.
    """
    below: dict[str | None, list[str]] = {}
    for name, label in registry.labels.items():
        above = label.broader if label.broader in registry.labels else None
        below.setdefault(above, []).append(name)
    starts = sorted(below.get(None, ())) + sorted(registry.labels) if top is None else [top]
    depths: dict[str, int] = {}
    for start in starts:
        waiting = [(start, 0)]
        while waiting:
            name, depth = waiting.pop()
            if name not in depths:
                depths[name] = depth
                waiting += [(child, depth + 1) for child in sorted(below.get(name, ()))[::-1]]
    return tuple(
        _branch(registry.labels[name], depth, counts.get(name, 0), totals.get(name, 0))
        for name, depth in depths.items()
    )


def _branch(label: Label, depth: int, count: int, total: int) -> Branch:
    return Branch(
        label.name, depth, label.broader, label.description, label.deprecated, count, total
    )
