"""From what a person typed to a merge patch (RFC 7396)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from project_memory.errors import InvalidInput


def patched(document: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return the patch that leads from a document to its edited text.

    Raises:
        InvalidInput: the text is no JSON object, or a link is gone.
    """
    edited = _object(text)
    gone = _links(document) - _links(edited)
    if gone:
        kind, target = sorted(gone)[0]
        raise InvalidInput(
            f"the link {kind} '{target}' is gone; keep it, and take it away with "
            f"`project-memory unlink {document['id']} {kind} {target}`"
        )
    return _patch(document, edited)


def set_fields(given: Iterable[str]) -> dict[str, Any]:
    """Return the patch of ``FIELD=JSON`` options; a dot in FIELD leads one object deeper.

    Raises:
        InvalidInput: an option has no ``=``, or no JSON behind it.
    """
    patch: dict[str, Any] = {}
    for option in given:
        field, sign, text = option.partition("=")
        if not sign:
            raise InvalidInput(f"--set '{option}' has no '='; write FIELD=JSON")
        *outer, name = field.split(".")
        holder = patch
        for step in outer:
            holder = holder.setdefault(step, {})
        holder[name] = _value(field, text)
    return patch


def _value(field: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"--set '{field}' is not JSON ({error.msg}); put text in double quotes"
        ) from error


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"line {error.lineno} column {error.colno} is not JSON ({error.msg})"
        ) from error
    if not isinstance(value, dict):
        raise InvalidInput("a memory is a JSON object")
    return value


def _links(document: Mapping[str, Any]) -> set[tuple[str, str]]:
    held = document.get("relationships")
    found: set[tuple[str, str]] = set()
    for kind, items in (held if isinstance(held, Mapping) else {}).items():
        for item in items if isinstance(items, list) else ():
            target = item.get("id") if isinstance(item, Mapping) else item
            found.add((kind, str(target)))
    return found


def _patch(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    patch: dict[str, Any] = {name: None for name in old if name not in new}
    for name, value in new.items():
        before = old.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            inner = _patch(before, value)
            if inner:
                patch[name] = inner
        elif value != before:
            patch[name] = value
    return patch
