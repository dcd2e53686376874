"""The registry as ``labels.json`` holds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from project_memory import documents, labels
from project_memory.model import Label, Problem, Registry


def to_json(registry: Registry) -> dict[str, Any]:
    """Return a registry as plain JSON, sorted; what is empty or False is left out."""
    named = {name: _label(registry.labels[name]) for name in sorted(registry.labels)}
    value: dict[str, Any] = {"schema_version": 1, "labels": named}
    if registry.single:
        value["prefixes"] = {prefix: {"single": True} for prefix in sorted(registry.single)}
    return value


def to_text(registry: Registry) -> str:
    """Return a registry as its file holds it."""
    return documents.to_text(to_json(registry))


def from_json(value: Any, file: str) -> tuple[Registry, list[Problem]]:
    """Return the registry of a JSON value, and every problem it has."""
    if value is None:
        return Registry(), []
    named = value.get("labels") if isinstance(value, dict) else None
    if not isinstance(named, dict):
        return Registry(), [Problem("bad-labels", "'labels' is no object", "$.labels", file=file)]
    shape = [_shape_problem(name, file) for name, x in named.items() if not isinstance(x, dict)]
    found = {name: _from(name, x) for name, x in named.items() if isinstance(x, dict)}
    prefixes = value.get("prefixes", {})
    single = frozenset(
        p for p, x in prefixes.items() if isinstance(x, dict) and x.get("single") is True
    ) if isinstance(prefixes, dict) else frozenset()  # fmt: skip
    registry = Registry(found, single)
    return registry, [*shape, *_faults(registry, file)]


def _label(label: Label) -> dict[str, Any]:
    kept = {
        "description": label.description,
        "aliases": sorted(label.aliases),
        "broader": label.broader,
        "deprecated": label.deprecated,
    }
    return {name: value for name, value in kept.items() if value}


def _from(name: str, value: dict[str, Any]) -> Label:
    aliases = value.get("aliases")
    broader = value.get("broader")
    return Label(
        name=name,
        description=str(value.get("description") or ""),
        aliases=tuple(sorted(a for a in aliases if isinstance(a, str)))
        if isinstance(aliases, list)
        else (),
        broader=broader if isinstance(broader, str) else None,
        deprecated=value.get("deprecated") is True,
    )


def _shape_problem(name: str, file: str) -> Problem:
    return Problem("bad-labels", f"label '{name}' is no object", f"$.labels.{name}", file=file)


def _faults(registry: Registry, file: str) -> Iterator[Problem]:
    for name, message in labels.faults(registry):
        yield Problem("bad-label", message, f"$.labels.{name}", file=file)
