"""Take a tool's arguments as agents send them, and hold them to the tool's schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from project_memory import resources
from project_memory.errors import InvalidArguments
from project_memory.model import Problem
from project_memory.validation import check_call

_DRAFT, _PATCH = "memory", "patch"
# What lies inside these is judged with the document, where every rule is known.
_INSIDE = re.compile(rf"\$\.({_DRAFT}|{_PATCH})[.\[]")
_BOOLEANS = {"true": True, "false": False}

Rule = Mapping[str, Any]


def checked(tool: str, given: Any) -> dict[str, Any]:
    """Return the arguments of a call, rewritten where their meaning is plain.

    JSON in a string, one string for a list, ``"5"`` for 5, ``"true"`` for true, null and a blank
    string for an absent argument are accepted.

    Raises:
        InvalidArguments: an argument is unknown, missing, of the wrong kind or out of range;
            every one is named.
    """
    name = schema_name(tool)
    arguments = _rewritten(_said(given), resources.schema(name))
    if isinstance(arguments, dict) and isinstance(patch := arguments.get(_PATCH), dict):
        arguments[_PATCH] = _as_fields(patch)
    problems = [p for p in check_call(arguments, name) if not _is_inside(p)]
    if problems:
        raise InvalidArguments(problems)
    return dict(arguments)


def schema_name(tool: str) -> str:
    """Return the name of the schema that defines the arguments of a tool."""
    return f"tools/{tool}.input"


def _said(given: Any) -> Any:
    """Return the arguments that say something; anything but an object is left to the schema."""
    arguments = {} if given is None else _object(given)
    if not isinstance(arguments, Mapping):
        return arguments
    return {
        name: value
        for name, value in arguments.items()
        if not (isinstance(value, str) and not value.strip())
    }


def _is_inside(problem: Problem) -> bool:
    draft_lacks_field = (problem.path, problem.code) == (f"$.{_DRAFT}", "schema-required")
    return draft_lacks_field or bool(_INSIDE.match(problem.path))


def _as_fields(patch: dict[str, Any]) -> dict[str, Any]:
    """Return a patch whose fields are read like those of a draft; a null stays: it removes."""
    rules: Rule = resources.schema(schema_name("create_memory"))["properties"][_DRAFT]
    return {
        name: value if value is None else _rewritten(value, _rule(rules, name))
        for name, value in patch.items()
    }


def _rewritten(value: Any, rule: Rule) -> Any:
    """Return a value as its schema wants it where that is plain, else as it is."""
    convert = _CONVERSIONS.get(_kind(rule))
    value = convert(value) if convert else value
    if isinstance(value, dict) and "properties" in rule:
        return {
            name: _rewritten(member, _rule(rule, name))
            for name, member in value.items()
            if member is not None
        }
    return value


def _rule(rule: Rule, name: str) -> Rule:
    found: Rule = rule.get("properties", {}).get(name, {})
    return found


def _kind(rule: Rule) -> str | None:
    return "any" if "anyOf" in rule else rule.get("type")


def _object(value: Any) -> Any:
    return _parsed(value) if isinstance(value, str) and value.lstrip()[:1] in {"{", "["} else value


def _list(value: Any) -> Any:
    found = _object(value)
    return [found] if isinstance(found, str) else found


def _integer(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,18}(\.0+)?\s*", value):
        return int(float(value)) if "." in value else int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _boolean(value: Any) -> Any:
    return _BOOLEANS.get(value.strip().lower(), value) if isinstance(value, str) else value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


_CONVERSIONS: Mapping[str | None, Callable[[Any], Any]] = {
    "object": _object,
    "any": _object,
    "array": _list,
    "integer": _integer,
    "boolean": _boolean,
}
