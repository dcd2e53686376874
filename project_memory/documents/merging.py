"""Merge two versions of one JSON object against what both come from, field by field."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

SETS = frozenset({
    "labels", "tags", "scope.files", "scope.applies_to", "expects", "aliases",
})  # fmt: skip
"""Fields whose lists hold each entry once, in no order that matters."""

FILLED = frozenset({"labels", "expects"})
"""Lists that are never empty: what both sides together would empty is a conflict."""

LATEST = frozenset({"evidence.last_validated"})
"""Fields of which the greater value holds whatever either side says: later is known better."""


class _Absent:
    """What stands for a field that a side lacks."""


ABSENT: Final = _Absent()


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge came to.

    Attributes:
        value: The merged object; where both sides differ, it says what ours does.
        conflicts: Paths of the fields that both sides changed, each otherwise, sorted.
    """

    value: dict[str, Any]
    conflicts: tuple[str, ...] = ()


def merge(base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Merged:
    """Return two versions of a JSON object in one.

    A field that one side changed is as that side has it. Of a list that is a set, whatever a side
    added or removed is added or removed; links are told apart by the memory that they lead to,
    expectations by what they ask. Of another list, what both added at its end is added. What both
    changed, each otherwise, is a conflict.

    Args:
        base: What both come from; ``{}`` where nothing is known of it.
        ours: One side, whose fields come first.
        theirs: The other one.
    """
    conflicts: list[str] = []
    value = _objects(base, ours, theirs, "", conflicts)
    return Merged(value, tuple(sorted(conflicts)))


def chosen(base: Any, ours: Any, theirs: Any) -> tuple[Any, bool]:
    """Return (what two versions of one value come to, whether both changed it, each otherwise).

    `ABSENT` stands for a value that a side lacks.
    """
    conflicts: list[str] = []
    return _values(base, ours, theirs, "", conflicts), bool(conflicts)


def _objects(
    base: Mapping[str, Any],
    ours: Mapping[str, Any],
    theirs: Mapping[str, Any],
    path: str,
    conflicts: list[str],
) -> dict[str, Any]:
    merged = {}
    for name in (*ours, *(name for name in theirs if name not in ours)):
        place = f"{path}.{name}" if path else name
        before, mine, other = (side.get(name, ABSENT) for side in (base, ours, theirs))
        value = _values(before, mine, other, place, conflicts)
        if value is not ABSENT:
            merged[name] = value
    return merged


def _values(base: Any, ours: Any, theirs: Any, path: str, conflicts: list[str]) -> Any:
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    if path in LATEST and isinstance(ours, str) and isinstance(theirs, str):
        return max(ours, theirs)
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        known = base if isinstance(base, Mapping) else {}
        return _objects(known, ours, theirs, path, conflicts)
    return _lists(base, ours, theirs, path, conflicts)


def _lists(base: Any, ours: Any, theirs: Any, path: str, conflicts: list[str]) -> Any:
    """Return two values in one that are lists, or else in conflict."""
    if isinstance(ours, list) and isinstance(theirs, list):
        before = base if isinstance(base, list) else None
        if _is_keyed(path):
            return _entries(before or [], ours, theirs, path, conflicts)
        if before is not None and before == ours[: len(before)] == theirs[: len(before)]:
            return [*ours, *(each for each in theirs[len(before) :] if each not in ours)]
    conflicts.append(path)
    return ours


def _is_keyed(path: str) -> bool:
    """Return whether the entries of a list are told apart by what they are, not by their place."""
    *above, last = path.split(".")
    return path in SETS or last in {"aliases", "expectations"} or above == ["relationships"]


def _entries(
    base: Sequence[Any],
    ours: Sequence[Any],
    theirs: Sequence[Any],
    path: str,
    conflicts: list[str],
) -> list[Any]:
    """Return two lists in one: entries of ours in their order, then what theirs has more."""
    keyed = [{_key(item): item for item in side} for side in (base, ours, theirs)]
    held: list[Any] = []
    for key in (*keyed[1], *(key for key in keyed[2] if key not in keyed[1])):
        before, mine, other = (side.get(key, ABSENT) for side in keyed)
        found: list[str] = []
        value = _values(before, mine, other, "", found)
        if found and path not in conflicts:
            conflicts.append(path)
        if value is not ABSENT:
            held.append(value)
    if not held and path in FILLED:
        conflicts.append(path)
        return list(ours)
    return held


def _key(item: Any) -> Hashable:
    """Return what tells an entry of a list from others."""
    if not isinstance(item, Mapping):
        return item if isinstance(item, str) else json.dumps(item, sort_keys=True)
    if "query" in item:
        return ("query", item["query"], item.get("labels"))
    return item["id"] if "id" in item else json.dumps(item, sort_keys=True)
