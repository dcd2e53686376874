"""One text of two that say one lesson."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from project_memory import documents, labels
from project_memory.model import Document, Registry

_UNITED = ("tags", "triggers", "solution_pattern", "pitfalls")
_UNITED_IN_SCOPE = ("files", "applies_to")


def folded(survivor: Document, victim: Document, registry: Registry) -> dict[str, Any]:
    """Return the survivor's document with what the victim says beyond it; links stay.

    The survivor keeps its description; the victim's becomes one of its triggers. What the two say
    in two spellings is kept once, and of a prefix that allows one label the survivor's stays.
    """
    text = dict(survivor)
    for field in _UNITED:
        text[field] = _united(survivor.get(field, ()), victim.get(field, ()))
    text["remembered_facts"] = _facts(survivor, victim)
    text["labels"] = _labels(survivor, victim, registry)
    if documents.fold(victim["description"]) != documents.fold(survivor["description"]):
        text["triggers"] = _united(text["triggers"], [victim["description"]])
    text["scope"] = _folded_scope(survivor["scope"], victim["scope"])
    return documents.canonical(text)


def _folded_scope(survivor: Mapping[str, Any], victim: Mapping[str, Any]) -> dict[str, Any]:
    lists = {
        f: [*survivor.get(f, ()), *(x for x in victim.get(f, ()) if x not in survivor.get(f, ()))]
        for f in _UNITED_IN_SCOPE
    }
    return {**survivor, **lists}


def _labels(survivor: Document, victim: Document, registry: Registry) -> list[str]:
    held = survivor["labels"]
    taken = {labels.prefix(name) for name in held} & registry.single
    further = (x for x in victim["labels"] if x not in held and labels.prefix(x) not in taken)
    return [*held, *further]


def _facts(survivor: Document, victim: Document) -> list[Any]:
    """Return the facts of both; of one text, the one that says more about it."""
    facts: dict[str, Any] = {}
    for fact in (*survivor["remembered_facts"], *victim["remembered_facts"]):
        said = documents.fold(fact["fact"] if isinstance(fact, Mapping) else fact)
        if said not in facts or (isinstance(fact, Mapping) and isinstance(facts[said], str)):
            facts[said] = fact
    return list(facts.values())


def _united(one: Iterable[str], other: Iterable[str]) -> list[str]:
    held = list(one)
    said = {documents.fold(text) for text in held}
    return [*held, *(text for text in other if documents.fold(text) not in said)]
