"""Say that a memory still holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from project_memory import documents
from project_memory.errors import InvalidInput, InvalidTransition
from project_memory.model import Memory, Status
from project_memory.services.working_set import WorkingSet


def touch_all(work: WorkingSet, memory_ids: Iterable[str]) -> None:
    """Set `last_validated` of several memories to today. See `touch`.

    Raises:
        InvalidInput: no memory is named.
    """
    named = tuple(dict.fromkeys(memory_ids))
    if not named:
        raise InvalidInput("no memory is named; name the ones that still hold")
    for memory_id in named:
        touch(work, memory_id)


def touch(work: WorkingSet, memory_id: str) -> None:
    """Set `last_validated` of a memory to today.

    Neither its words nor its status change, so that whoever asserted it still does.

    Raises:
        NotFound: there is no such memory.
        InvalidTransition: it is wrong, so that it cannot still hold.
    """
    memory = work.get(memory_id)
    if memory.own_status is Status.WRONG:
        raise InvalidTransition(
            f"'{memory.id}' is wrong, so it cannot still hold; if it holds after all, use "
            f"`project-memory status {memory.id} active --reason TEXT`"
        )
    today = work.today.isoformat()
    if memory.document["evidence"]["last_validated"] == today:
        work.notes.append(f"'{memory.id}' was validated today already")
    else:
        _stamp(work, memory, today)
    if memory.own_status is Status.STALE:
        work.notes.append(
            f"'{memory.id}' is still stale; if it holds again, use "
            f"`project-memory status {memory.id} active`"
        )


def _stamp(work: WorkingSet, memory: Memory, today: str) -> None:
    evidence = {**memory.document["evidence"], "last_validated": today}
    document = documents.canonical({**memory.document, "evidence": evidence})
    work.put(replace(memory, document=document), "validated", authored=True)
