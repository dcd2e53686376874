"""What both sides are to hold, of what each tells and what they were when they were the same."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from project_memory import labels
from project_memory.documents import merging
from project_memory.exchange import registry_json, registry_of
from project_memory.model import Registry
from project_memory.services.syncing.sides import Edge, Side, Told

REGISTRY, META = "labels", "meta"
"""What a conflict is of that is of no memory."""

_NOTHING: Told = {}


@dataclass(slots=True)
class Plan:
    """What is to be held.

    Attributes:
        told: Name -> what both sides are to tell of a memory.
        deleted: Names of memories that the store is to delete.
        restored: Names of memories whose file is gone, and is written again.
        edges: Every link -> its reason.
        registry: The labels.
        expectations: What is expected, under the names of memories.
        conflicts: Name of a memory, `REGISTRY` or `META` -> paths of the fields of which the
            store's stand, though the folder says something else; none: the whole.
        dropped: Links of the folder that lead to what the store deleted.
    """

    told: dict[str, Told] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    restored: set[str] = field(default_factory=set)
    edges: dict[Edge, str | None] = field(default_factory=dict)
    registry: Registry = field(default_factory=Registry)
    expectations: list[dict[str, Any]] = field(default_factory=list)
    conflicts: dict[str, list[str]] = field(default_factory=dict)
    dropped: set[Edge] = field(default_factory=set)


def plan(
    base: Side, store: Side, folder: Side, *, taken: Collection[str] = (), prune: bool = False
) -> Plan:
    """Return what is to be held.

    What one side changed is taken; what both changed is merged, and where that cannot be, the
    store's stands.

    Args:
        base: What both sides were when they were the same.
        store: What the store tells.
        folder: What the folder tells.
        taken: Ids that lead to renamed memories.
        prune: Whether the store deletes what lost its file and did not change.
    """
    made = Plan()
    made.registry = _registry(base, store, folder, made)
    for name in sorted({*base.told, *store.told, *folder.told}):
        _memory(name, (base, store, folder), made, prune=prune)
    _refuse_taken(store, taken, made)
    _allow_several(store, made)
    for edge in sorted({*base.edges, *store.edges, *folder.edges}):
        _link(edge, (base, store, folder), made)
    told = merging.merge(*({"expectations": side.expectations} for side in (base, store, folder)))
    made.expectations = told.value["expectations"]
    if told.conflicts:
        made.conflicts[META] = ["expectations"]
    return made


def _registry(base: Side, store: Side, folder: Side, made: Plan) -> Registry:
    sides = (registry_json(side.registry) for side in (base, store, folder))
    merged = merging.merge(*sides)
    registry, problems = registry_of(merged.value, [])
    if merged.conflicts or problems:
        made.conflicts[REGISTRY] = list(merged.conflicts) or ["labels"]
    return store.registry if problems else registry


def _memory(name: str, sides: tuple[Side, Side, Side], made: Plan, *, prune: bool) -> None:
    base, store, folder = (side.told.get(name) for side in sides)
    if store is None and folder is None:
        return
    if store is not None and folder is not None:
        _both(name, base or _NOTHING, store, folder, made)
    elif store is not None:
        _without_file(name, sides, made, prune=prune)
    elif folder is not None and base is None:
        made.told[name] = folder
    elif folder is not None and folder != base:
        made.conflicts[name] = []


def _refuse_taken(store: Side, taken: Collection[str], made: Plan) -> None:
    """Leave out ids from the folder that lead to other memories here."""
    for name, told in list(made.told.items()):
        if told["id"] not in taken or store.told.get(name, _NOTHING).get("id") == told["id"]:
            continue
        if name in store.told:
            told["id"] = store.told[name]["id"]
            made.conflicts.setdefault(name, []).append("id")
        else:
            made.conflicts[name] = []
            del made.told[name]


def _allow_several(store: Side, made: Plan) -> None:
    """Leave prefixes as they are of which a memory carries several labels."""
    crowded = {
        prefix
        for told in made.told.values()
        for prefix in labels.check_single(made.registry, told["labels"])
        if prefix not in store.registry.single
    }
    if crowded:
        made.registry = Registry(made.registry.labels, made.registry.single - crowded)
        made.conflicts.setdefault(REGISTRY, []).extend(f"prefixes.{each}" for each in crowded)


def _both(name: str, base: Told, store: Told, folder: Told, made: Plan) -> None:
    merged = merging.merge(base, store, folder)
    told, conflicts = merged.value, list(merged.conflicts)
    if labels.check_single(made.registry, told["labels"]) and told["labels"] != store["labels"]:
        told["labels"] = store["labels"]
        conflicts.append("labels")
    made.told[name] = told
    if conflicts:
        made.conflicts[name] = conflicts


def _without_file(name: str, sides: tuple[Side, Side, Side], made: Plan, *, prune: bool) -> None:
    base, store, _ = sides
    if prune and name in base.told and not _changed(name, base, store):
        made.deleted.add(name)
        return
    made.told[name] = store.told[name]
    if name in base.told:
        made.restored.add(name)


def _changed(name: str, base: Side, side: Side) -> bool:
    """Return whether a side tells more of a memory than was told, be it a link."""
    linked = (edge for edge in side.edges if name in edge[1:])
    return side.told[name] != base.told[name] or any(
        edge not in base.edges or side.edges[edge] != base.edges[edge] for edge in linked
    )


def _link(edge: Edge, sides: tuple[Side, Side, Side], made: Plan) -> None:
    ends = edge[1:]
    if made.deleted.intersection(ends):
        return
    if _gone(ends, sides[1:], made.told):
        if edge in sides[2].edges and edge not in sides[0].edges:
            made.dropped.add(edge)
        return
    base, store, folder = (side.edges.get(edge, merging.ABSENT) for side in sides)
    reason, conflict = merging.chosen(base, store, folder)
    if reason is not merging.ABSENT:
        made.edges[edge] = reason
    if conflict:
        made.conflicts.setdefault(edge[1], []).append(f"relationships.{edge[0]}")


def _gone(ends: Collection[str], sides: tuple[Side, ...], told: dict[str, Told]) -> bool:
    """Return whether a link leads to or from a memory that is deleted; not one that never was."""
    return any(end not in told and any(end in side.told for side in sides) for end in ends)
