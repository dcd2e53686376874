"""Take a tool's arguments as agents send them, and hold them to the tool's schema."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from project_memory import resources
from project_memory.errors import InvalidInput

_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})
_NAMES = {"integer": "a whole number", "boolean": "true or false", "string": "text",
          "array": "a list", "object": "an object"}  # fmt: skip


def checked(tool: str, given: Any) -> dict[str, Any]:
    """Return the arguments of a call, coerced where their meaning is plain.

    JSON in a string, one string for a list, ``"5"`` for 5, and null for absent are accepted.

    Raises:
        InvalidInput: an argument is unknown, missing, of the wrong kind or out of range; every
            one is named.
    """
    arguments = _object(given)
    schema = input_schema(tool)
    properties: Mapping[str, Any] = schema["properties"]
    problems = [_unknown(tool, name, properties) for name in arguments if name not in properties]
    taken: dict[str, Any] = {}
    for name, rule in properties.items():
        if arguments.get(name) is None:
            continue
        taken[name] = _coerced(arguments[name], rule)
        problems += _problems(name, taken[name], rule)
    problems += [
        f"'{name}' is missing" for name in schema.get("required", ()) if name not in taken
    ]
    if problems:
        raise InvalidInput("; ".join(problems))
    return taken


@cache
def input_schema(tool: str) -> dict[str, Any]:
    """Return the schema of a tool's arguments, as it is listed."""
    return _listed(resources.schema(f"tools/{tool}.input"))


@cache
def output_schema(tool: str) -> dict[str, Any]:
    """Return the schema of a tool's result, as it is listed."""
    return _listed(resources.schema(f"tools/{tool}.output"))


def _listed(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in schema.items() if k not in {"$schema", "$id", "title"}}


def _object(given: Any) -> Mapping[str, Any]:
    value = _from_json(given) if isinstance(given, str) else given
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput("the arguments are no object; pass them by name")
    return value


def _coerced(value: Any, rule: Mapping[str, Any]) -> Any:
    conversions: Mapping[str | None, Callable[[Any], Any]] = {
        "integer": _integer,
        "boolean": _boolean,
        "array": _list,
        "object": _from_json,
        None: _expression,
    }
    return conversions.get(rule.get("type"), lambda v: v)(value)


def _integer(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        try:
            return int(value.strip())
        except ValueError:
            return value
    return value


def _boolean(value: Any) -> Any:
    if isinstance(value, str) and value.strip().lower() in _TRUE | _FALSE:
        return value.strip().lower() in _TRUE
    return value


def _list(value: Any) -> Any:
    found = _from_json(value)
    return [found] if isinstance(found, str) else found


def _expression(value: Any) -> Any:
    if isinstance(value, str) and value.lstrip()[:1] in {"{", "["}:
        return _from_json(value)
    return value


def _from_json(value: Any) -> Any:
    if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "["}:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _unknown(tool: str, name: str, properties: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(str(name), properties, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"{tool} takes {', '.join(properties)}"
    return f"unknown argument '{name}'; {hint}"


def _problems(name: str, value: Any, rule: Mapping[str, Any]) -> list[str]:
    kind = rule.get("type")
    if kind and not _is(value, kind):
        return [f"'{name}' is {_shown(value)}, not {_NAMES[kind]}"]
    if kind == "array" and not all(_is(item, rule["items"].get("type")) for item in value):
        return [f"'{name}' is no list of {rule['items'].get('type')}s"]
    if "enum" in rule and value not in rule["enum"]:
        return [f"'{name}' is {_shown(value)}; choose one of {', '.join(rule['enum'])}"]
    if kind == "integer" and value < rule.get("minimum", value):
        return [f"'{name}' is {value}; at least {rule['minimum']} is allowed"]
    if kind == "integer" and value > rule.get("maximum", value):
        return [f"'{name}' is {value}; at most {rule['maximum']} is allowed"]
    return []


def _is(value: Any, kind: str | None) -> bool:
    match kind:
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, Mapping)
    return True


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
