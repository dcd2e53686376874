"""Tell a document that says only what the store has said before from one that says more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from project_memory import documents, labels
from project_memory.exchange import Incoming
from project_memory.model import Document, Memory
from project_memory.services.working_set import WorkingSet


def is_former(work: WorkingSet, found: Memory, document: Document) -> bool:
    """Return whether a document is what a memory was at an earlier revision and is no more.

    Labels count by what their names stand for today. An id counts for nothing, since a renamed
    memory has its past under another one.
    """
    known = labels.aliases(work.registry) | labels.replacements(work.registry)
    said = _said(document, known)
    if said == _said(documents.canonical(found.document), known):
        return False
    return any(said == _said(state.document, known) for state in work.states(found))


def is_earlier(found: Memory, incoming: Incoming) -> bool:
    """Return whether a document was last edited before the memory was; only some forms tell."""
    edited = (incoming.meta or {}).get("updated_at")
    return edited is not None and edited < found.updated_at


def _said(document: Document, names: Mapping[str, str]) -> dict[str, Any]:
    relabelled = documents.relabelled(document, names)
    return {field: value for field, value in relabelled.items() if field != "id"}
