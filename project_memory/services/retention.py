"""Move memories between retention tiers; what moves them is found by `audit.checks.retention`."""

from __future__ import annotations

from dataclasses import replace

from project_memory.errors import Conflict
from project_memory.services.working_set import WorkingSet


def promote(work: WorkingSet, memory_id: str, tier: int) -> None:
    """Move a memory that has earned its place up to the next retention tier.

    Raises:
        NotFound: there is no such memory.
        Conflict: it is not one tier below.
    """
    memory = work.get(memory_id)
    if tier != memory.tier + 1:
        raise Conflict(
            f"'{memory.id}' is in tier {memory.tier} and moves up to tier {memory.tier + 1}, not "
            f"to {tier}; audit again"
        )
    work.put(replace(memory, tier=tier), "promoted", authored=True)
