"""Changes of a document by a merge patch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from project_memory.documents.relationships import RELATION_FIELDS, links, ordered
from project_memory.errors import InvalidDocument
from project_memory.model import Document, Problem

_FIXED = {
    "id": "rename it with `project-memory rename`",
    "status": "change it with `project-memory status`",
    "schema_version": "leave it out",
}
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
                f"a patch cannot change {field} to {patch[field]!r}",
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
        where = f"$.relationships.{kind}"
        if items is None:
            yield _no_removal(where)
        elif kind not in RELATION_FIELDS:
            known = ", ".join(RELATION_FIELDS)
            yield Problem(
                "unknown-field", f"no kind of link '{kind}'", where, fix=f"kinds: {known}"
            )
        elif not isinstance(items, list) or not all(map(_is_link, items)):
            yield Problem("patch-type", f"{kind} is a list of links", where)


def _is_link(item: Any) -> bool:
    return isinstance(item, str) or (isinstance(item, Mapping) and isinstance(item.get("id"), str))


def _no_removal(where: str) -> Problem:
    return Problem(
        "fixed-field",
        "a patch only adds links",
        where,
        fix="remove one with `project-memory unlink`",
    )
