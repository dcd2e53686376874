"""Tell a document that says only what the store has said before from one that says more."""

from __future__ import annotations

from typing import Any

from project_memory import documents, labels
from project_memory.exchange import Incoming
from project_memory.model import Document, Memory, Registry
from project_memory.services.working_set import WorkingSet


def is_former(work: WorkingSet, found: Memory, document: Document) -> bool:
    """Return whether a document is what a memory was at an earlier revision and is no more.

    Labels count by what their names stand for today. An id counts for nothing, since a renamed
    memory has its past under another one.
    """
    told = said(document, work.registry)
    if told == said(documents.canonical(found.document), work.registry):
        return False
    return any(told == said(state.document, work.registry) for state in work.states(found))


def is_earlier(found: Memory, incoming: Incoming) -> bool:
    """Return whether a document was last edited before the memory was; only some forms tell."""
    edited = (incoming.meta or {}).get("updated_at")
    return edited is not None and edited < found.updated_at


def said(document: Document, registry: Registry) -> dict[str, Any]:
    """Return all of a document but its id, with the labels that its own stand for today."""
    names = labels.aliases(registry) | labels.replacements(registry)
    relabelled = documents.relabelled(document, names)
    return {field: value for field, value in relabelled.items() if field != "id"}
