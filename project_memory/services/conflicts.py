"""Compare a proposal with what has changed since it was made, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from project_memory import access, documents
from project_memory.model import Document, Memory, MemoryChange
from project_memory.proposals import Proposal
from project_memory.services.working_set import WorkingSet

Fields: TypeAlias = Mapping[str, list[Any]]
"""Field -> its values, the oldest first; absent is None."""


def conflicts(work: WorkingSet, proposal: Proposal) -> dict[str, Fields]:
    """Return id -> field -> [base, current, proposed] of what both sides changed.

    The proposal has been done on the working set. Links are in nobody's way: they are sets that
    grow from both sides. Where a person's yes makes a whole text the person's word, or takes it
    away, whatever has changed of it is in the way.
    """
    by_id = {change.before.id: change for change in work.memory_changes() if change.before}
    found: dict[str, Fields] = {}
    for memory_id, version in proposal.versions.items():
        change = by_id.get(memory_id) or by_id.get(work.redirect(memory_id) or "")
        fields = _overlap(work, memory_id, version, change) if change else {}
        if fields:
            found[memory_id] = fields
    return found


def _overlap(work: WorkingSet, memory_id: str, version: int, change: MemoryChange) -> Fields:
    before, after = change.before, change.after
    assert before is not None
    if before.version == version:
        return {}
    base: Document = work.document_at(memory_id, version) or {}
    proposed: Document = after.document if after else {}
    whole = after is None or access.lends_word(before, after) or _moves(before, after)
    mine = documents.diff(before.document, proposed)
    return {
        field: [base.get(field), before.document.get(field), proposed.get(field)]
        for field in documents.diff(base, before.document)
        if field != "relationships" and (whole or field in mine)
    }


def _moves(before: Memory, after: Memory) -> bool:
    return before.own_status is not after.own_status or before.archived != after.archived
