"""Changes of a document by a merge patch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from project_memory.documents.quoting import quotable, shortened
from project_memory.documents.relationships import RELATION_FIELDS, links, ordered
from project_memory.errors import InvalidDocument
from project_memory.model import Document, Problem

_FIXED = {
    "id": "rename it with `project-memory rename`",
    "status": "change it with `project-memory status`",
    "schema_version": "leave it out",
}
_DEEPEST = 16
LISTS = ("tags", "triggers", "solution_pattern", "pitfalls")
"""Fields that every document has, if only as an empty list."""


def merge_patch(document: Document, patch: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with a JSON merge patch (RFC 7396) applied.

    Departures from the RFC: `relationships` adds the links it names and removes none; a null
    empties a list that every document has.

    Raises:
        InvalidDocument: the patch is no object, or would change what only another command may.
    """
    if not isinstance(patch, Mapping):
        raise InvalidDocument([Problem("patch-type", "a patch is a JSON object")])
    if _is_too_deep(patch):
        raise InvalidDocument([Problem("too-deep", "nested too deep to be a patch")])
    problems = [*_fixed_problems(document, patch), *_relationship_problems(patch)]
    if problems:
        raise InvalidDocument(problems)
    added = patch.get("relationships") or {}
    rest = {
        k: [] if v is None and k in LISTS else v for k, v in patch.items() if k != "relationships"
    }
    merged: dict[str, Any] = _merged(document, rest)
    held = list(links(document))
    new = {(k.kind, k.target): k for k in links({"relationships": added})}
    kept = [k for k in held if (k.kind, k.target) not in new]
    return {**merged, "relationships": ordered([*kept, *new.values()])}


def patch_between(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the merge patch that leads from one JSON object to another."""
    patch: dict[str, Any] = {name: None for name in old if name not in new}
    for name, value in new.items():
        before = old.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            inner = patch_between(before, value)
            if inner:
                patch[name] = inner
        elif value != before:
            patch[name] = value
    return patch


def _merged(target: Any, patch: Any) -> Any:
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _merged(merged.get(key), value)
    return merged


def _fixed_problems(document: Document, patch: Mapping[str, Any]) -> Iterator[Problem]:
    for field, remedy in _FIXED.items():
        if field in patch and patch[field] != document.get(field):
            yield Problem(
                "fixed-field",
                f"a patch cannot change {field} to {_quoted(patch[field])}",
                f"$.{field}",
                document.get("id"),
                remedy,
            )


def _relationship_problems(patch: Mapping[str, Any]) -> Iterator[Problem]:
    held = patch.get("relationships", {})
    if held is None:
        yield _no_removal("$.relationships")
        return
    if not isinstance(held, Mapping):
        yield Problem("patch-type", "relationships is a JSON object", "$.relationships")
        return
    for kind, items in held.items():
        shown = quotable(str(kind))
        where = f"$.relationships.{shown}"
        if items is None:
            yield _no_removal(where)
        elif kind not in RELATION_FIELDS:
            known = ", ".join(RELATION_FIELDS)
            yield Problem(
                "unknown-field", f"no kind of link '{shown}'", where, fix=f"kinds: {known}"
            )
        elif not isinstance(items, list) or not all(map(_is_link, items)):
            yield Problem("patch-type", f"{kind} is a list of links", where)


def _quoted(value: Any) -> str:
    if isinstance(value, str):
        return shortened(f"'{quotable(value)}'")
    return shortened(quotable(json.dumps(value, ensure_ascii=False, default=str)))


def _is_too_deep(patch: Mapping[str, Any]) -> bool:
    """Return whether a patch is nested deeper than any document can be."""
    level: list[Any] = [patch]
    for _ in range(_DEEPEST):
        level = [
            inner
            for value in level
            for inner in (value.values() if isinstance(value, Mapping) else value)
            if isinstance(inner, (Mapping, list, tuple))
        ]
    return bool(level)


def _is_link(item: Any) -> bool:
    return isinstance(item, str) or (isinstance(item, Mapping) and isinstance(item.get("id"), str))


def _no_removal(where: str) -> Problem:
    return Problem(
        "fixed-field",
        "a patch only adds links",
        where,
        fix="remove one with `project-memory unlink`",
    )
