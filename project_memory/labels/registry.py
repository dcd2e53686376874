"""The rules of a registry: what a name stands for, what is above what, what is broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from project_memory.errors import InvalidLabel, UnknownLabel
from project_memory.labels.form import canonical, prefix
from project_memory.labels.likeness import near
from project_memory.model import Label, Registry


def aliases(registry: Registry) -> dict[str, str]:
    """Return alias -> canonical label, for callers that resolve many."""
    return {alias: label.name for label in registry.labels.values() for alias in label.aliases}


def resolve(registry: Registry, label: str) -> str:
    """Return the canonical name of a registered label or alias.

    Raises:
        UnknownLabel: Neither; it names up to three near labels.
    """
    if label in registry.labels:
        return label
    found = aliases(registry).get(label)
    if found is None:
        raise UnknownLabel(label, near(registry, label))
    return found


def accepted(registry: Registry, label: str) -> str:
    """Return the canonical name that a further text may carry for a registered label or alias.

    A deprecated label stands for its replacement.

    Raises:
        UnknownLabel: it is not registered; up to three near labels are named.
        InvalidLabel: it is deprecated, and nothing replaces it.
    """
    name, passed = resolve(registry, label), set[str]()
    while (entry := registry.labels[name]).deprecated and name not in passed:
        passed.add(name)
        if entry.replaced_by not in registry.labels:
            break
        name = str(entry.replaced_by)
    if not registry.labels[name].deprecated:
        return name
    meant = " or ".join(repr(other) for other in near(registry, label))
    raise InvalidLabel(
        f"label {label!r} is deprecated; use {meant or 'another'}, "
        f"or bring it back with `project-memory labels deprecate {name} --off`"
    )


def replacements(registry: Registry) -> dict[str, str]:
    """Return deprecated label -> the label in use that replaces it, for those that have one."""
    found = {}
    for name, label in registry.labels.items():
        if label.replaced_by is not None:
            try:
                found[name] = accepted(registry, name)
            except InvalidLabel:
                continue
    return found


def narrower(registry: Registry, label: str) -> set[str]:
    """Return the label and every label below it."""
    children: dict[str, list[str]] = {}
    for each in registry.labels.values():
        if each.broader:
            children.setdefault(each.broader, []).append(each.name)
    found, waiting = {label}, [label]
    while waiting:
        below = [name for name in children.get(waiting.pop(), ()) if name not in found]
        found.update(below)
        waiting.extend(below)
    return found


def broader_cycle(registry: Registry) -> list[str]:
    """Return the labels of one cycle of `broader`, from its smallest name; empty when none."""
    return _cycle({name: label.broader for name, label in registry.labels.items()})


def _cycle(above: Mapping[str, str | None]) -> list[str]:
    cleared: set[str] = set()
    for start in sorted(above):
        trail: dict[str, None] = {}
        name: str | None = start
        while name and name in above and name not in cleared:
            if name in trail:
                return _from_smallest([*trail][[*trail].index(name) :])
            trail[name] = None
            name = above[name]
        cleared.update(trail)
    return []


def check_single(registry: Registry, labels: Iterable[str]) -> list[str]:
    """Return the prefixes that allow one label and got several, sorted."""
    counts = Counter(prefix(label) for label in set(labels))
    return sorted(name for name, count in counts.items() if count > 1 and name in registry.single)


def faults(registry: Registry) -> list[tuple[str, str]]:
    """Return (label, what is wrong with it) for every broken rule of a registry, by label."""
    owners: dict[str, str] = {}
    found = []
    for name in sorted(registry.labels):
        found += [(name, message) for message in _faults_of(registry, registry.labels[name])]
        for alias in registry.labels[name].aliases:
            owner = alias if alias in registry.labels else owners.setdefault(alias, name)
            if owner != name or alias == name:
                found.append((name, f"alias {alias!r} already names {owner!r}; remove it"))
    if cycle := broader_cycle(registry):
        path = " -> ".join(repr(name) for name in (*cycle, cycle[0]))
        found.append((cycle[0], f"broader labels form a cycle: {path}; clear one of them"))
    if cycle := _cycle({name: label.replaced_by for name, label in registry.labels.items()}):
        path = " -> ".join(repr(name) for name in (*cycle, cycle[0]))
        found.append((cycle[0], f"labels replace each other: {path}; clear one of them"))
    return sorted(found)


def with_label(registry: Registry, label: Label) -> Registry:
    """Return the registry with this label added, or put in the place of its former self.

    Raises:
        InvalidLabel: The result would break a rule of registries.
    """
    changed = Registry(MappingProxyType({**registry.labels, label.name: label}), registry.single)
    if broken := new_faults(registry, changed):
        raise InvalidLabel("\n".join(broken))
    return changed


def new_faults(before: Registry, after: Registry) -> list[str]:
    """Return what is wrong with a registry that was not wrong before."""
    known = set(faults(before))
    return [message for name, message in faults(after) if (name, message) not in known]


def _faults_of(registry: Registry, label: Label) -> Iterator[str]:
    for name in (label.name, *label.aliases):
        try:
            canonical(name)
        except InvalidLabel as error:
            yield str(error)
    if label.broader and label.broader not in registry.labels:
        yield f"broader label {label.broader!r} of {label.name!r} is not registered; add it first"
    if label.replaced_by and label.replaced_by not in registry.labels:
        yield f"replacement {label.replaced_by!r} of {label.name!r} is not registered; add it"
    if label.replaced_by and not label.deprecated:
        yield f"label {label.name!r} has a replacement but is not deprecated; deprecate it"


def _from_smallest(cycle: list[str]) -> list[str]:
    start = cycle.index(min(cycle))
    return cycle[start:] + cycle[:start]
