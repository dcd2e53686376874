"""Fold one memory into another."""

from __future__ import annotations

from dataclasses import replace

from project_memory import access, documents, relations
from project_memory.documents import Link
from project_memory.duplicates import folding
from project_memory.errors import InvalidInput
from project_memory.services import curate, links
from project_memory.services.working_set import WorkingSet


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
    folded = folding.folded(survivor.document, victim.document, work.registry)
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
