"""Relationships: the table of kinds, and the rules that hold between linked memories.

Everything that knows about kinds of links (mirroring, validation, the graph, the page) reads
`KINDS`. Functions here are pure: a `lookup` stands for the store.
"""

from __future__ import annotations

import graphlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from project_memory.documents import Link, links, targets
from project_memory.model import Memory, Problem, Status

Lookup: TypeAlias = Callable[[str], Memory | None]
"""Returns the memory of an id, or None where there is none."""


class Reason(StrEnum):
    """Whether a link of a kind carries a reason."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of relationship; `weight` is its share in the graph, in (0, 1]."""

    name: str
    inverse: str
    weight: float
    reason: Reason


def _table() -> Mapping[str, Kind]:
    rows = (
        Kind("related", "related", 1.0, Reason.REQUIRED),
        Kind("supersedes", "superseded_by", 1.0, Reason.NONE),
        Kind("contradicts", "contradicts", 0.5, Reason.REQUIRED),
        Kind("depends_on", "required_by", 0.7, Reason.OPTIONAL),
        Kind("caused_by", "causes", 0.7, Reason.OPTIONAL),
        Kind("generalizes", "specializes", 0.7, Reason.OPTIONAL),
    )
    both: dict[str, Kind] = {}
    for row in rows:
        both[row.name] = row
        both[row.inverse] = Kind(row.inverse, row.name, row.weight, row.reason)
    return MappingProxyType(both)


KINDS: Mapping[str, Kind] = _table()
"""Every kind by name, inverses included, in the order of the document's fields."""

_BASE = frozenset(
    {"related", "supersedes", "contradicts", "depends_on", "caused_by", "generalizes"}
)

ACYCLIC = ("supersedes", "depends_on", "generalizes")
"""Kinds that may not lead back to where they started."""


def is_base(kind: str) -> bool:
    """Return whether a kind is the one its pair is named by; symmetric kinds are."""
    return kind in _BASE


def mirror(source: str, link: Link) -> Link:
    """Return the link that the target must hold for `source` to hold `link`."""
    return Link(KINDS[link.kind].inverse, source, link.reason)


def is_live(memory: Memory) -> bool:
    """Return whether a memory can stand in for what it supersedes.

    Superseded and stale memories are live: in A <- B <- C both A and B are superseded.
    """
    return not memory.archived and memory.own_status is not Status.WRONG


def live_successors(memory: Memory, lookup: Lookup) -> list[str]:
    """Return the ids of live memories that supersede this one directly, sorted."""
    found = ((target, lookup(target)) for target in targets(memory.document, "superseded_by"))
    return [target for target, other in found if other is not None and is_live(other)]


def current_successors(memory: Memory, lookup: Lookup) -> list[str]:
    """Return the ids at the live ends of the supersession chains that start here, sorted.

    Empty when nothing live supersedes the memory. Cycles, which only a damaged store holds, end
    the walk.
    """
    ends, seen, waiting = set(), {memory.id}, live_successors(memory, lookup)
    while waiting:
        successor = waiting.pop()
        if successor in seen:
            continue
        seen.add(successor)
        found = lookup(successor)
        further = live_successors(found, lookup) if found else []
        waiting.extend(further)
        if not further:
            ends.add(successor)
    return sorted(ends)


def shown_status(memory: Memory, lookup: Lookup) -> Status:
    """Return the status that readers see: superseded while a live memory supersedes it."""
    return Status.SUPERSEDED if live_successors(memory, lookup) else memory.own_status


def path(kind: str, start: str, goal: str, lookup: Lookup) -> list[str] | None:
    """Return ids from `start` to `goal` along links of one kind, or None; a shortest path."""
    came_from: dict[str, str | None] = {start: None}
    waiting = [start]
    while waiting:
        following: list[str] = []
        for here in waiting:
            if here == goal:
                return _trace(came_from, goal)
            for target in _targets(kind, lookup(here)):
                if target not in came_from:
                    came_from[target] = here
                    following.append(target)
        waiting = following
    return None


def acyclic_direction(source: str, link: Link) -> tuple[str, str, str] | None:
    """Return (kind, from, to) of a link read in the direction that may not cycle, or None."""
    if link.kind in ACYCLIC:
        return link.kind, source, link.target
    inverse = KINDS[link.kind].inverse
    return (inverse, link.target, source) if inverse in ACYCLIC else None


def problems(
    memories: Mapping[str, Memory], unreadable: Container[str] = frozenset()
) -> Iterator[Problem]:
    """Yield every broken relationship rule among these memories, by id, then by kind.

    Args:
        memories: By id.
        unreadable: Ids of documents that exist but say nothing reliable; a link to one of them
            is neither right nor wrong.
    """
    placed = {name: _placed(memory, unreadable) for name, memory in memories.items()}
    held = {(name, k.kind, k.target) for name, found in placed.items() for _, k in found}
    doubtful = _of_doubtful_status(memories, held)
    for name in sorted(memories):
        if placed[name]:
            yield from _link_problems(name, placed[name], held, memories)
        if name not in doubtful:
            yield from _status_problems(memories[name], memories.get)
    for kind in ACYCLIC:
        yield from _cycle_problems(kind, placed)


def missing_mirrors(
    memories: Mapping[str, Memory], unreadable: Container[str] = frozenset()
) -> list[tuple[str, Link]]:
    """Return (source, link) for every link whose target is here and does not link back, by id."""
    placed = {name: _placed(memory, unreadable) for name, memory in memories.items()}
    held = {(name, k.kind, k.target) for name, found in placed.items() for _, k in found}
    return [
        (name, link)
        for name in sorted(placed)
        for link in dict.fromkeys(link for _, link in placed[name])
        if link.target in memories and link.target != name
        if (link.target, KINDS[link.kind].inverse, name) not in held
    ]


def _of_doubtful_status(
    memories: Mapping[str, Memory], held: Container[tuple[str, str, str]]
) -> set[str]:
    """Return the ids whose links to successors are broken, which is a problem of the links."""
    doubtful: set[str] = set()
    for name, memory in memories.items():
        for new in targets(memory.document, "superseded_by"):
            if new == name or (new, "supersedes", name) not in held:
                doubtful.add(name)
        for old in targets(memory.document, "supersedes"):
            if (old, "superseded_by", name) not in held:
                doubtful.add(old)
    return doubtful


def _placed(memory: Memory, unreadable: Container[str]) -> list[tuple[int, Link]]:
    """Return the links whose other side is known, each with its place among those of its kind."""
    counts = dict.fromkeys(KINDS, -1)
    found = []
    for link in links(memory.document):
        counts[link.kind] += 1
        if link.target not in unreadable:
            found.append((counts[link.kind], link))
    return found


def _targets(kind: str, memory: Memory | None) -> list[str]:
    return [] if memory is None else targets(memory.document, kind)


def _trace(came_from: Mapping[str, str | None], goal: str) -> list[str]:
    steps: list[str] = []
    here: str | None = goal
    while here is not None:
        steps.append(here)
        here = came_from[here]
    return steps[::-1]


def _link_problems(
    name: str,
    placed: Iterable[tuple[int, Link]],
    held: Container[tuple[str, str, str]],
    known: Container[str],
) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for position, link in placed:
        kind, target = link.kind, link.target
        where = f"$.relationships.{kind}[{position}]"
        if target == name:
            yield self_link(name, kind, where)
        elif (kind, target) in seen:
            yield duplicate_link(name, link, where)
        elif target not in known:
            yield dangling_link(name, link, where)
        elif (target, KINDS[kind].inverse, name) not in held:
            yield _missing_mirror(name, link, where)
        seen.add((kind, target))


def _missing_mirror(name: str, link: Link, where: str) -> Problem:
    back = KINDS[link.kind].inverse
    return Problem(
        "missing-mirror",
        f"'{name}' {link.kind} '{link.target}', but '{link.target}' has no {back} back",
        where,
        name,
        f"add {back} '{name}' to '{link.target}'",
    )


def self_link(name: str, kind: str, where: str = "$.relationships") -> Problem:
    """Return the problem of a memory that links to itself."""
    return Problem(
        "self-link", f"'{name}' {kind} '{name}': a memory cannot link to itself", where, name,
        "remove the link",
    )  # fmt: skip


def duplicate_link(name: str, link: Link, where: str = "$.relationships") -> Problem:
    """Return the problem of one kind and target twice on one side."""
    return Problem(
        "duplicate-link", f"'{name}' {link.kind} '{link.target}' is given twice", where, name,
        "keep one of the two",
    )  # fmt: skip


def dangling_link(name: str, link: Link, where: str = "$.relationships") -> Problem:
    """Return the problem of a link whose target does not exist."""
    return Problem(
        "dangling-link",
        f"'{name}' {link.kind} '{link.target}', but there is no memory '{link.target}'",
        where,
        name,
        "create the target first, or remove the link",
    )


def cycle_problem(kind: str, steps: list[str]) -> Problem:
    """Return the problem of a cycle; `steps` starts and ends with the same id."""
    shown = " -> ".join(steps)
    return Problem(
        "cycle", f"{kind} must not form a cycle: {shown}", f"$.relationships.{kind}", steps[0],
        f"remove {kind} between '{steps[-2]}' and '{steps[-1]}'",
    )  # fmt: skip


def _status_problems(memory: Memory, lookup: Lookup) -> Iterator[Problem]:
    successors = live_successors(memory, lookup)
    if memory.status is Status.SUPERSEDED and not successors:
        yield Problem(
            "superseded-without-successor",
            f"'{memory.id}' is superseded, but no live memory supersedes it",
            "$.status",
            memory.id,
            "link its successor with supersedes, or set another status",
        )
    # within a cycle no status is right; the cycle is the problem
    if memory.status is not Status.SUPERSEDED and current_successors(memory, lookup):
        yield Problem(
            "superseded-not-shown",
            f"'{memory.id}' is {memory.status}, but '{successors[0]}' supersedes it",
            "$.status",
            memory.id,
            "set the status to superseded",
        )


def _cycle_problems(
    kind: str, placed: Mapping[str, Iterable[tuple[int, Link]]]
) -> Iterator[Problem]:
    edges: dict[str, list[str]] = {}
    for name, found in sorted(placed.items()):
        ahead = {k.target for _, k in found if k.kind == kind and k.target in placed} - {name}
        if ahead:
            edges[name] = sorted(ahead)
    while True:
        try:
            graphlib.TopologicalSorter(edges).prepare()
        except graphlib.CycleError as error:
            steps = _rotated(list(error.args[1])[::-1], edges)
            yield cycle_problem(kind, steps)
            edges[steps[-2]].remove(steps[-1])
        else:
            return


def _rotated(steps: list[str], edges: Mapping[str, list[str]]) -> list[str]:
    # graphlib reads its input as predecessors, so its cycles come in either direction
    if steps[1] not in edges.get(steps[0], ()):
        steps = steps[::-1]
    ring = steps[:-1]
    first = ring.index(min(ring))
    return [*ring[first:], *ring[:first], ring[first]]
