"""Own the form of a label and the rules of a registry.

A label is ``prefix:kebab-case``. A registry is a small SKOS concept scheme: every label has one
preferred name, alternative names (aliases) and at most one broader label.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from types import MappingProxyType

from project_memory.errors import InvalidLabel, UnknownLabel
from project_memory.model import Label, Registry

RESERVED = frozenset(
    (
        *("status", "tag", "file", "id", "author", "asserted", "reach", "confidence"),
        *("created", "updated", "validated", "linked", "is", "text"),
    )
)
"""Fields of the expression language; a label with such a prefix could never be asked for."""

_FORM = re.compile(r"[a-z][a-z0-9]*:[a-z0-9]+(?:-[a-z0-9]+)*")
_NEAR = 0.65
_TYPO_LENGTH = 6
_STARTER = {
    "kind:bug": "a defect, its symptom and its cause",
    "kind:workflow": "steps that work, and those that do not",
    "kind:architecture": "how the parts fit together, and why",
    "kind:convention": "a rule that the code or the team keeps",
    "kind:decision": "a choice made, with what was rejected",
    "kind:lesson": "something learned the hard way",
    "kind:blocker": "what stopped work, and what unblocked it",
    "kind:completion": "what finishing a task showed",
    "kind:observation": "something seen that is not yet explained",
    "context:build": "compiling, packaging, continuous integration",
    "context:runtime": "behaviour of the running program",
    "context:testing": "tests, fixtures, test environments",
    "context:tooling": "editors, linters, scripts, developer tools",
    "context:deployment": "releasing, installing, configuring, operating",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered label as it is listed; `count` is None when nobody counted."""

    label: str
    description: str
    aliases: tuple[str, ...]
    broader: str | None
    deprecated: bool
    count: int | None


@dataclass(frozen=True, slots=True)
class Group:
    """The labels of one prefix, by name, and whether a memory may carry only one of them."""

    prefix: str
    single: bool
    labels: tuple[Entry, ...]


def canonical(text: str) -> str:
    """Return the label without surrounding blanks.

    Raises:
        InvalidLabel: Its form is not ``prefix:kebab-case``, or its prefix is reserved.
    """
    label = text.strip()
    if not _FORM.fullmatch(label):
        raise InvalidLabel(
            f"label {text!r} is not prefix:kebab-case; write {_suggestion(label)!r}"
            if _suggestion(label)
            else f"label {text!r} is not prefix:kebab-case; write it like 'area:user-login'"
        )
    if prefix(label) in RESERVED:
        raise InvalidLabel(
            f"label {label!r} has the reserved prefix {prefix(label)!r}; "
            "choose another, such as 'area' or 'signal'"
        )
    return label


def prefix(label: str) -> str:
    """Return what stands before the colon."""
    return label.partition(":")[0]


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
    cleared: set[str] = set()
    for start in sorted(registry.labels):
        trail: dict[str, None] = {}
        name: str | None = start
        while name and name in registry.labels and name not in cleared:
            if name in trail:
                return _from_smallest([*trail][[*trail].index(name) :])
            trail[name] = None
            name = registry.labels[name].broader
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
    return sorted(found)


def with_label(registry: Registry, label: Label) -> Registry:
    """Return the registry with this label added, or put in the place of its former self.

    Raises:
        InvalidLabel: The result would break a rule of registries.
    """
    labels = dict(registry.labels) | {label.name: label}
    changed = Registry(MappingProxyType(labels), registry.single)
    known = faults(registry)
    if broken := [message for name, message in faults(changed) if (name, message) not in known]:
        raise InvalidLabel("\n".join(broken))
    return changed


def starter() -> Registry:
    """Return the registry of a project that has just been made."""
    labels = {name: Label(name, description) for name, description in _STARTER.items()}
    return Registry(MappingProxyType(labels))


def grouped(registry: Registry, counts: Mapping[str, int] | None = None) -> tuple[Group, ...]:
    """Return the labels by prefix, both sorted, each with the number of memories carrying it."""
    groups: dict[str, list[Entry]] = {}
    for name in sorted(registry.labels):
        label = registry.labels[name]
        count = None if counts is None else counts.get(name, 0)
        entry = Entry(
            name, label.description, label.aliases, label.broader, label.deprecated, count
        )
        groups.setdefault(prefix(name), []).append(entry)
    return tuple(
        Group(name, name in registry.single, tuple(entries))
        for name, entries in sorted(groups.items())
    )


def _suggestion(text: str) -> str | None:
    folded = unicodedata.normalize("NFKC", text).casefold()
    head, colon, value = folded.partition(":")
    kebab = re.sub(r"[^a-z0-9]+", "-", value).strip("-")
    label = f"{re.sub('[^a-z0-9]+', '', head)}{colon}{kebab}"
    return label if _FORM.fullmatch(label) and prefix(label) not in RESERVED else None


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


def _faults_of(registry: Registry, label: Label) -> Iterator[str]:
    for name in (label.name, *label.aliases):
        try:
            canonical(name)
        except InvalidLabel as error:
            yield str(error)
    if label.broader and label.broader not in registry.labels:
        yield f"broader label {label.broader!r} of {label.name!r} is not registered; add it first"


def _from_smallest(cycle: list[str]) -> list[str]:
    start = cycle.index(min(cycle))
    return cycle[start:] + cycle[:start]
