"""The registry as ``labels.json`` holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from project_memory import documents, validation
from project_memory.exchange import repair
from project_memory.model import Label, Problem, Registry
from project_memory.validation import registry as rules


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


def from_json(value: Any, repairs: list[str]) -> tuple[Registry, list[Problem]]:
    """Return the registry of a JSON value, and every problem it has.

    Labels of a reserved prefix, which older tools allowed, are mapped as those of documents are;
    `repairs` gets a sentence for each.
    """
    problems = validation.check_form(value, "labels")
    if problems:
        return Registry(), problems
    named = {name: _from(name, entry) for name, entry in value["labels"].items()}
    for name in named:
        if repair.mapped_label(name) != name:
            mapped = repair.mapped_label(name)
            repairs.append(f"label '{name}' has a reserved prefix; taken as '{mapped}'")
    prefixes = value.get("prefixes", {})
    single = frozenset(prefix for prefix, entry in prefixes.items() if entry.get("single"))
    registry = Registry({label.name: label for label in named.values()}, single)
    return registry, list(rules.problems(registry))


def _label(label: Label) -> dict[str, Any]:
    kept = {
        "description": label.description,
        "aliases": sorted(label.aliases),
        "broader": label.broader,
        "deprecated": label.deprecated,
        "replaced_by": label.replaced_by,
    }
    return {name: value for name, value in kept.items() if value}


def _from(name: str, entry: Mapping[str, Any]) -> Label:
    return Label(
        name=repair.mapped_label(name),
        description=entry.get("description", ""),
        aliases=tuple(sorted(map(repair.mapped_label, entry.get("aliases", ())))),
        broader=_mapped(entry.get("broader")),
        deprecated=entry.get("deprecated", False),
        replaced_by=_mapped(entry.get("replaced_by")),
    )


def _mapped(name: str | None) -> str | None:
    return None if name is None else repair.mapped_label(name)
