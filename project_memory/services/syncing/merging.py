"""Merge two changes of one document, field by field, over what both began with."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from project_memory import documents
from project_memory.model import Document

_SETS = frozenset({"labels", "tags", "files", "applies_to"})
"""Lists of which the order says nothing."""
_DERIVED = frozenset({"id", "schema_version", "status", "relationships"})
_ABSENT = object()


def merged(base: Document | None, ours: Document, theirs: Document) -> tuple[Document, list[str]]:
    """Return (both changes of a document in one, JSON paths that both changed otherwise).

    Where both did, ours stays. Status and links are not looked at, and stay ours.

    Args:
        base: What both began with; None: not known, so that all that differs is a conflict.
        ours: One side.
        theirs: The other.
    """
    conflicts: list[str] = []
    sides = [{n: v for n, v in side.items() if n not in _DERIVED}
             for side in (base or {}, ours, theirs)]  # fmt: skip
    fields = _object("$", *sides, conflicts=conflicts)
    kept = {name: value for name, value in ours.items() if name in _DERIVED}
    return documents.canonical({**fields, **kept}), conflicts


def _object(
    path: str,
    base: Mapping[str, Any],
    ours: Mapping[str, Any],
    theirs: Mapping[str, Any],
    *,
    conflicts: list[str],
) -> dict[str, Any]:
    found = {}
    for name in dict.fromkeys([*ours, *theirs]):
        values = [side.get(name, _ABSENT) for side in (base, ours, theirs)]
        value = _value(f"{path}.{name}", name, *values, conflicts=conflicts)
        if value is not _ABSENT:
            found[name] = value
    return found


def _value(
    path: str, name: str, base: Any, ours: Any, theirs: Any, *, conflicts: list[str]
) -> Any:
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        before = base if isinstance(base, Mapping) else {}
        return _object(path, before, ours, theirs, conflicts=conflicts)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
        began = list(base) if isinstance(base, (list, tuple)) else None
        several = _list(name, began, list(ours), list(theirs))
        if several is not None:
            return several
    conflicts.append(path)
    return ours


def _list(name: str, base: list[Any] | None, ours: list[Any], theirs: list[Any]) -> Any:
    """Return both changes of a list: of a set always, else where both only added at the end."""
    if base is None:
        return None
    if name in _SETS:
        kept = [each for each in ours if each in theirs or each not in base]
        return [*kept, *(each for each in theirs if each not in ours and each not in base)]
    length = len(base)
    if ours[:length] == theirs[:length] == base:
        known = {_key(each) for each in ours}
        return [*ours, *(each for each in theirs[length:] if _key(each) not in known)]
    return None


def _key(value: Any) -> Hashable:
    return documents.compact(value)
