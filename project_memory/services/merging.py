"""Fold one memory into another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from project_memory import access, documents, labels, relations
from project_memory.documents import Link
from project_memory.errors import InvalidInput
from project_memory.model import Document, Registry
from project_memory.services import curate, links
from project_memory.services.working_set import WorkingSet

_UNITED = ("tags", "triggers", "solution_pattern", "pitfalls")
_UNITED_IN_SCOPE = ("files", "applies_to")


def merge(
    work: WorkingSet, victim_id: str, into_id: str, *, if_version: int | None = None
) -> None:
    """Fold the victim's text and links into another memory, which then supersedes it.

    The survivor keeps its description; the victim's becomes one of its triggers. What the two say
    in two spellings is kept once, and of a prefix that allows one label the survivor's stays.
    Links between the two go, the victim's others lead to the survivor, except those to what
    superseded the victim before. The victim is archived. `if_version` is the victim's.

    Raises:
        NotFound: one of the two does not exist.
        InvalidInput: both are the same memory, or the survivor could not stand in for the victim.
        InvalidDocument: the result is too long, or a repointed link would close a cycle.
        VersionConflict: `if_version` is given and is not the victim's version.
    """
    victim, survivor = work.get(victim_id), work.get(into_id)
    curate.check_version(work, victim, if_version)
    if victim.id == survivor.id:
        raise InvalidInput(f"'{victim.id}' cannot be merged into itself; name two memories")
    if not relations.is_live(survivor):
        state = "archived" if survivor.archived else "wrong"
        raise InvalidInput(
            f"'{survivor.id}' is {state} and cannot stand in for '{victim.id}'; merge it into "
            "that one instead"
        )
    for held in documents.links(victim.document):
        if held.target == survivor.id:
            links.remove(work, victim.id, held.kind, held.target)
    folded = _folded(survivor.document, victim.document, work.registry)
    if folded != survivor.document:
        current = work.get(survivor.id)
        kept = documents.with_links(folded, documents.links(current.document))
        asserted = access.asserted_after_edit(work.actor)
        work.put(replace(current, document=kept, asserted_by=asserted), "updated", authored=True)
    _repoint(work, victim.id, survivor.id)
    links.add(work, survivor.id, Link("supersedes", victim.id, None), "updated")
    curate.archive(work, victim.id)


def _repoint(work: WorkingSet, victim_id: str, survivor_id: str) -> None:
    held = {(link.kind, link.target) for link in documents.links(work.get(survivor_id).document)}
    for link in documents.links(work.get(victim_id).document):
        if link.kind == "superseded_by":
            continue
        links.remove(work, victim_id, link.kind, link.target)
        if (link.kind, link.target) not in held:
            links.add(work, survivor_id, link, "updated")


def _folded(survivor: Document, victim: Document, registry: Registry) -> dict[str, Any]:
    folded = dict(survivor)
    for field in _UNITED:
        folded[field] = _united(survivor.get(field, ()), victim.get(field, ()))
    folded["remembered_facts"] = _facts(survivor, victim)
    folded["labels"] = _labels(survivor, victim, registry)
    if documents.fold(victim["description"]) != documents.fold(survivor["description"]):
        folded["triggers"] = _united(folded["triggers"], [victim["description"]])
    folded["scope"] = _folded_scope(survivor["scope"], victim["scope"])
    return documents.canonical(folded)


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
