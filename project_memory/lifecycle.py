"""Which changes of the own status are allowed; `superseded` comes from links alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from project_memory.errors import InvalidTransition
from project_memory.model import Status

ALLOWED: Mapping[Status, frozenset[Status]] = MappingProxyType(
    {
        Status.ACTIVE: frozenset({Status.STALE, Status.WRONG}),
        Status.STALE: frozenset({Status.ACTIVE, Status.WRONG}),
        Status.WRONG: frozenset({Status.ACTIVE}),
    }
)
"""Own status -> the statuses it may change to."""


def check_transition(memory_id: str, old: Status, new: Status, reason: str | None) -> None:
    """Refuse a change of the own status that the lifecycle does not allow.

    Raises:
        InvalidTransition: the change is not in `ALLOWED`, or a reason is missing: a change to
            stale or wrong needs one, and so does bringing a wrong memory back.
    """
    if new is Status.SUPERSEDED:
        raise InvalidTransition(
            f"'{memory_id}' becomes superseded only by a link; use "
            f"`project-memory link NEW-ID supersedes {memory_id}`"
        )
    if new not in ALLOWED[old]:
        allowed = ", ".join(sorted(ALLOWED[old]))
        raise InvalidTransition(
            f"'{memory_id}' is {old} and cannot become {new}; allowed: {allowed}"
        )
    if not (reason or "").strip() and _needs_reason(old, new):
        raise InvalidTransition(
            f"a change of '{memory_id}' from {old} to {new} needs a reason; "
            "say in one sentence what showed it"
        )


def _needs_reason(old: Status, new: Status) -> bool:
    return new in {Status.STALE, Status.WRONG} or old is Status.WRONG
