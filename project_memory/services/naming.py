"""Canonicalise the names that other programs give: tags that are labels here become those."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from project_memory import labels
from project_memory.errors import InvalidLabel, UnknownLabel
from project_memory.model import Registry
from project_memory.services.working_set import WorkingSet

_VAGUE = "kind:observation"
"""What is said of an item whose kind is not known; it goes where a tag says more."""


def labelled(work: WorkingSet, given: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return documents whose tags are labels where the registry knows them, by name or alias.

    A tag is known as a label of its name (``area/auth``, ``auth``), if it names but one. Of a
    prefix that allows one label, the first one stays, and the others become tags.
    """
    documents = list(given)
    values = _values(work.registry)
    for name in {name for document in documents for name in document["labels"]}:
        if name not in work.registry.labels:  # it will be, so that a second import finds it
            values.setdefault(name.partition(":")[2], set()).add(name)
    return [_single(work.registry, _named(work.registry, values, each)) for each in documents]


def _named(
    registry: Registry, values: dict[str, set[str]], document: dict[str, Any]
) -> dict[str, Any]:
    carried: list[str] = list(document["labels"])
    tags: list[str] = []
    for tag in document["tags"]:
        name = _known(registry, values, tag)
        if name is None:
            tags.append(tag)
        elif name not in carried:
            carried.append(name)
    if any(labels.prefix(name) == "kind" for name in carried if name != _VAGUE):
        carried = [name for name in carried if name != _VAGUE]
    return {**document, "labels": carried, "tags": tags}


def _known(registry: Registry, values: dict[str, set[str]], tag: str) -> str | None:
    """Return the label that a tag is, or None."""
    head, slash, rest = tag.partition("/")
    if slash:
        try:
            return labels.accepted(registry, f"{_kebab(head)}:{_kebab(rest)}")
        except (UnknownLabel, InvalidLabel):
            return None
    found = values.get(_kebab(tag), set())
    return next(iter(found)) if len(found) == 1 else None


def _values(registry: Registry) -> dict[str, set[str]]:
    """Return value -> labels in use that have it, under their own name or an alias."""
    found: dict[str, set[str]] = {}
    for label in registry.labels.values():
        if not label.deprecated:
            for name in (label.name, *label.aliases):
                found.setdefault(name.partition(":")[2], set()).add(label.name)
    return found


def _single(registry: Registry, document: dict[str, Any]) -> dict[str, Any]:
    """Return a document that carries one label of each prefix that allows no more."""
    kept: list[str] = []
    moved: list[str] = []
    for name in document["labels"]:
        prefix = labels.prefix(name)
        several = prefix in registry.single and any(labels.prefix(k) == prefix for k in kept)
        (moved if several else kept).append(name)
    if not moved:
        return document
    return {**document, "labels": kept, "tags": list(dict.fromkeys([*document["tags"], *moved]))}


def _kebab(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")
