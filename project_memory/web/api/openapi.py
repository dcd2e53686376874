"""The OpenAPI document: the table of routes and the schemas, in that form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

from project_memory import resources
from project_memory.web.admission import PROJECT_HEADER
from project_memory.web.api.arguments import PROJECT
from project_memory.web.api.route import Route
from project_memory.web.api.routes import ROUTES

_FOR_FILES = frozenset({"$schema", "$id"})
_ERROR = "output/error"
_WHY = {
    400: "the request, or an argument of it, cannot be used",
    401: "nobody has shown who asks",
    403: "who asks may not do this",
    404: "it is not there, or not for who asks",
    409: "the store has moved on, or the name is taken",
    413: "the body is too large",
    415: "the body is not JSON",
    421: "the Host is no name of this server",
    422: "the document is invalid; problems name each field",
    429: "there were too many attempts",
    503: "the store cannot be used",
}
_OF_ALL = (400, 413, 421, 503)
_OF_CHANGES = (409, 415, 422)


@cache
def document() -> dict[str, Any]:
    """Return the document."""
    paths: dict[str, dict[str, Any]] = {}
    for route in (*ROUTES, ROUTE):
        paths.setdefault(route.whole_path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Project memory", "version": version("project-memory")},
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "responses": {str(status): _refusal(text) for status, text in _WHY.items()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


@cache
def _text() -> bytes:
    """Return the document as it is sent: whoever asks needs no token, so that it costs little."""
    return json.dumps(document()).encode()


ROUTE = Route(
    "GET",
    "/openapi.json",
    "Describe the API",
    lambda _: _text(),
    answer="api/openapi.output",
    right=None,
    of_project=False,
    is_open=True,
)
"""Where the document is."""


def _operation(route: Route) -> dict[str, Any]:
    words = re.findall(r"\w+", route.path)
    statuses = [*_OF_ALL, *_statuses(route)]
    answer = {"schema": _reference(_component(route.answer))}
    return {
        "operationId": "_".join([route.method.lower(), *words]),
        "summary": route.title,
        "parameters": list(_parameters(route)),
        **({"requestBody": _body(route)} if route.has_body else {}),
        "responses": {
            "200": {"description": "the answer", "content": {"application/json": answer}},
            **{str(s): {"$ref": f"#/components/responses/{s}"} for s in sorted(statuses)},
        },
        **({"security": []} if route.is_open else {}),
    }


def _statuses(route: Route) -> Iterator[int]:
    if not route.is_open or route.is_attempt:
        yield 401
    if not route.is_open:
        yield from (403, 404)
    if route.method != "GET":
        yield from _OF_CHANGES
    if route.is_attempt:
        yield 429


def _parameters(route: Route) -> Iterator[dict[str, Any]]:
    rules, needed = route.schema["properties"], route.schema.get("required", ())
    for name in route.named:
        yield {"name": name, "in": "path", "required": True, "schema": _simple(rules[name])}
    if route.of_project:
        text = f"name or repository id; the header {PROJECT_HEADER} names it as well"
        schema = {"type": "string", "minLength": 1}
        yield {
            "name": PROJECT,
            "in": "query",
            "required": True,
            "description": text,
            "schema": schema,
        }
    for name in _elsewhere(route) if not route.has_body else ():
        required = name in needed
        yield {"name": name, "in": "query", "required": required, "schema": _simple(rules[name])}


def _simple(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an argument as text can say it."""
    if "anyOf" not in rule:
        return dict(rule)
    return {"type": "string"} | {k: v for k, v in rule.items() if k not in {"anyOf", "title"}}


def _body(route: Route) -> dict[str, Any]:
    rules, names = route.schema["properties"], _elsewhere(route)
    schema: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: rules[name] for name in names},
    }
    required = [name for name in route.schema.get("required", ()) if name in names]
    if required:
        schema["required"] = required
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _elsewhere(route: Route) -> list[str]:
    """Return the names of the arguments that do not stand in the path."""
    return [name for name in route.schema["properties"] if name not in route.named]


def _refusal(text: str) -> dict[str, Any]:
    content = {"application/json": {"schema": _reference(_component(_ERROR))}}
    return {"description": text, "content": content}


def _schemas() -> dict[str, Any]:
    """Return the schemas that the routes name, each part of them under a name of its own."""
    found: dict[str, Any] = {}
    for name in sorted({_ERROR, *(route.answer for route in (*ROUTES, ROUTE))}):
        _add(found, name)
    return dict(sorted(found.items()))


def _add(found: dict[str, Any], name: str) -> None:
    component = _component(name)
    if component in found:
        return
    schema = {k: v for k, v in resources.schema(name).items() if k not in _FOR_FILES}
    parts = schema.pop("$defs", {})
    found[component] = None  # it may refer to itself
    found[component] = _moved(schema, component, found)
    for part, rule in parts.items():
        found[f"{component}.{part}"] = _moved(rule, component, found)


def _moved(value: Any, component: str, found: dict[str, Any]) -> Any:
    """Return a schema whose references lead to components, which are added."""
    if isinstance(value, dict):
        return {
            key: _target(each, component, found)
            if key == "$ref"
            else _moved(each, component, found)
            for key, each in value.items()
        }
    return [_moved(each, component, found) for each in value] if isinstance(value, list) else value


def _target(reference: str, component: str, found: dict[str, Any]) -> str:
    if reference.startswith("#/$defs/"):
        return _place(f"{component}.{reference.removeprefix('#/$defs/')}")
    name, _, part = reference.removeprefix("urn:project-memory:").partition("#/$defs/")
    _add(found, name)
    return _place(f"{name}.{part}" if part else name)


def _component(name: str) -> str:
    return name.removeprefix("output/").removesuffix(".output").replace("/", ".")


def _reference(component: str) -> dict[str, str]:
    return {"$ref": _place(component)}


def _place(component: str) -> str:
    return f"#/components/schemas/{component}"
