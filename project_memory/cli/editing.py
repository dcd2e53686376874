"""From what a person typed to a merge patch (RFC 7396)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from project_memory.cli.source import parse_json
from project_memory.documents import patch_between
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
    return patch_between(document, edited)


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
        value = _value(field, text)
        for step in reversed(field.split(".")):
            value = {step: value}
        patch = merged(patch, value)
    return patch


def merged(first: Any, then: Mapping[str, Any]) -> dict[str, Any]:
    """Return one patch that does what two do in turn.

    Raises:
        InvalidInput: the first is no JSON object.
    """
    if not isinstance(first, Mapping):
        raise InvalidInput('a patch is a JSON object; write {"FIELD": ...}')
    both = dict(first)
    for name, value in then.items():
        nested = isinstance(value, Mapping) and isinstance(both.get(name), Mapping)
        both[name] = merged(both[name], value) if nested else value
    return both


def _value(field: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"--set '{field}' is not JSON ({error.msg.lower()}); put text in double quotes"
        ) from error


def _object(text: str) -> dict[str, Any]:
    value = parse_json(text, "the edited memory")
    if not isinstance(value, dict):
        raise InvalidInput("the edited memory is no JSON object; keep its outer braces")
    return value


def _links(document: Mapping[str, Any]) -> set[tuple[str, str]]:
    held = document.get("relationships")
    found: set[tuple[str, str]] = set()
    for kind, items in (held if isinstance(held, Mapping) else {}).items():
        for item in items if isinstance(items, list) else ():
            target = item.get("id") if isinstance(item, Mapping) else item
            found.add((kind, str(target)))
    return found
