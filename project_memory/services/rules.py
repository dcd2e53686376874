"""Rules that hold among the documents of a project: links and statuses, labels, facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from project_memory import labels, relations, validation
from project_memory.model import Document, Memory, Problem, Registry, Severity, Status
from project_memory.validation import facts

_LINKS = frozenset({"id", "status", "relationships"})
_LABELS = frozenset({"id", "labels"})
_FACTS = frozenset({"id", "status", "remembered_facts"})
_CHECKS = frozenset({"id", "status", "checks"})
_CURRENT = frozenset({Status.ACTIVE, Status.STALE})


@dataclass(slots=True)
class Known:
    """What can be relied on among documents of which some are broken, by id.

    Attributes:
        memories: Those whose status and relationships are well formed.
        labels: What the documents carry whose labels are well formed.
        facts: Documents whose facts are well formed and count.
        checks: Checks that are well formed, of documents that count.
        doubtful: Ids that exist, but whose links are not known; nothing is said of links to them.
    """

    memories: dict[str, Memory] = field(default_factory=dict)
    labels: dict[str, Sequence[str]] = field(default_factory=dict)
    facts: dict[str, Document] = field(default_factory=dict)
    checks: dict[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)

    def add(self, memory: Memory, found: Iterable[Problem] = ()) -> None:
        """Add what is well formed of a memory, given the problems of its document."""
        name, document = memory.id, memory.document
        broken = {problem for problem in found if problem.severity is Severity.ERROR}
        if not _is_sound(document, _LINKS, broken):
            self.doubtful.add(name)
        elif name not in self.doubtful:
            self.memories[name] = memory
        if _is_sound(document, _LABELS, broken):
            self.labels[name] = document["labels"]
        if _is_sound(document, _FACTS, broken) and _counts(memory):
            self.facts[name] = document
        if _is_sound(document, _CHECKS, broken) and _counts(memory):
            self.checks[name] = document["checks"]


def problems(known: Known, registry: Registry | None, today: date) -> Iterator[Problem]:
    """Yield every problem among the documents; without a registry, labels are not looked up."""
    yield from relations.problems(known.memories, known.doubtful)
    if registry is not None:
        aliases = labels.aliases(registry)
        for name in sorted(known.labels):
            yield from _label_problems(name, known.labels[name], registry, aliases)
    yield from facts.problems(known.facts, today)


def _is_sound(document: Document, fields: frozenset[str], broken: Iterable[Problem]) -> bool:
    return document.keys() >= fields and not any(
        problem.code in validation.UNREADABLE or _top(problem.path) in fields for problem in broken
    )


def _top(path: str) -> str:
    return re.split(r"[.\[]", path.removeprefix("$."), maxsplit=1)[0]


def _counts(memory: Memory) -> bool:
    return not memory.archived and memory.status in _CURRENT


def _label_problems(
    name: str, carried: Sequence[str], registry: Registry, aliases: Mapping[str, str]
) -> Iterator[Problem]:
    for position, label in enumerate(carried):
        where = f"$.labels[{position}]"
        if label in aliases:
            yield Problem("alias-label", f"'{label}' is an alias", where, name,
                          f"write '{aliases[label]}'", Severity.WARNING)  # fmt: skip
        elif label not in registry.labels:
            near = " or ".join(f"'{name}'" for name in labels.near(registry, label))
            fix = f"use {near}, or register it" if near else "register it"
            yield Problem("unknown-label", f"label '{label}' is not registered", where, name, fix)
    for prefix in labels.check_single(registry, carried) if registry.single else ():
        yield Problem("single-prefix", f"prefix '{prefix}' allows one label a memory", "$.labels",
                      name, "keep one of them")  # fmt: skip
