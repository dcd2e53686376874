"""Take the arguments of a route from its path, query and body, and hold them to their schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn
from urllib.parse import parse_qs

from project_memory.errors import InvalidArguments, InvalidInput
from project_memory.validation import check_call
from project_memory.web.api.route import Route

PROJECT = "project"
"""Name in every query that is no argument."""

_BOOLEANS = {"true": True, "false": False}
_AN_OBJECT = 'send one JSON object, such as {"dry_run": true}'


def read(route: Route, path: Mapping[str, str], query: bytes, body: bytes) -> dict[str, Any]:
    """Return the arguments by name.

    Text in path and query is read as its schema wants it; a blank one in the query says nothing.

    Args:
        route: What is asked.
        path: What stands in the path, by name.
        query: The query as it came.
        body: The body, empty where the route has none.

    Raises:
        InvalidInput: a body is no JSON object, or an argument stands where it is not taken.
        InvalidArguments: an argument is unknown, missing, of the wrong kind or out of range;
            every one is named.
    """
    rules = route.schema["properties"]
    texts = parse_qs(query.decode("latin-1"))
    texts.pop(PROJECT, None)
    if route.has_body:
        _refuse_misplaced(texts, "the query", "the body")
        given = _object(body)
    else:
        given = {name: _of_texts(name, each, rules.get(name, {})) for name, each in texts.items()}
    _refuse_misplaced(given.keys() & path.keys(), "the query or the body", "the path")
    named = {name: _of_text(text, rules[name]) for name, text in path.items()}
    arguments = {**named, **given}
    problems = check_call(arguments, route.arguments)
    if problems:
        raise InvalidArguments(problems)
    return arguments


def _refuse_misplaced(names: Iterable[str], where: str, instead: str) -> None:
    for name in sorted(names):
        raise InvalidInput(f"'{name[:80]}' is in {where}; this route takes it in {instead} only")


def _of_texts(name: str, texts: list[str], rule: Mapping[str, Any]) -> Any:
    if rule.get("type") == "array":
        return texts
    if len(texts) > 1:
        raise InvalidInput(f"'{name[:80]}' is given {len(texts)} times; give it once")
    return _of_text(texts[0], rule)


def _of_text(text: str, rule: Mapping[str, Any]) -> Any:
    """Return what a text means; one that means nothing is left to the schema."""
    return _READERS.get(rule.get("type"), str)(text)


def _integer(text: str) -> Any:
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else text


def _boolean(text: str) -> Any:
    return _BOOLEANS.get(text, text)


_READERS: Mapping[Any, Callable[[str], Any]] = MappingProxyType(
    {"integer": _integer, "boolean": _boolean}
)


def _object(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body, parse_constant=_no_constant, object_pairs_hook=_once)
    except RecursionError as error:
        raise InvalidInput(f"the body is nested too deeply; {_AN_OBJECT}") from error
    except ValueError as error:  # and what is no UTF-8, and numbers of over 4,300 digits
        raise InvalidInput(f"the body is not JSON; {_AN_OBJECT}") from error
    if not isinstance(given, dict):
        raise InvalidInput(f"the body is no JSON object; {_AN_OBJECT}")
    return given


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; the last of two equal names would win unnoticed."""
    built: dict[str, Any] = {}
    for name, value in pairs:
        if name in built:
            raise InvalidInput(f"member '{name[:80]}' stands twice in one object; keep one")
        built[name] = value
    return built


def _no_constant(name: str) -> NoReturn:
    raise InvalidInput(f"'{name}' is not JSON; use a number or null")
