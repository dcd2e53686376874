"""Which changes of the own status are allowed, and what facts count for today.

The status `superseded` comes from links alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

from project_memory.errors import InvalidInput, InvalidTransition
from project_memory.model import Document, Status

ALLOWED: Mapping[Status, frozenset[Status]] = MappingProxyType(
    {
        Status.ACTIVE: frozenset({Status.STALE, Status.WRONG}),
        Status.STALE: frozenset({Status.ACTIVE, Status.WRONG}),
        Status.WRONG: frozenset({Status.ACTIVE}),
    }
)
"""Own status -> the statuses it may change to."""

_WORSE = (Status.ACTIVE, Status.STALE, Status.WRONG)


@dataclass(frozen=True, slots=True)
class FactStatus:
    """What a fact counts for, where that is not what it says of itself.

    Attributes:
        position: Place among the memory's facts, from 0.
        status: What it counts for: ``assumption``.
        expired: The last day on which it was what it says.
    """

    position: int
    status: str
    expired: str


def checked_status(text: str) -> Status:
    """Return the status of this name.

    Raises:
        InvalidInput: there is none.
    """
    try:
        return Status(text)
    except ValueError as error:
        known = ", ".join(Status)
        raise InvalidInput(f"no status '{text}'; choose one of {known}") from error


def effective_facts(document: Document, today: date) -> tuple[FactStatus, ...] | None:
    """Return the facts that count for less than they say, or None: the expired ones.

    A fact expires at the end of its day, and is an assumption from then on, whatever its status
    was; a deprecated one stays what it is.
    """
    expired = [
        FactStatus(position, "assumption", fact["expires"])
        for position, fact in enumerate(document["remembered_facts"])
        if is_expired(fact, today) and fact.get("status") != "deprecated"
    ]
    return tuple(expired) or None


def is_expired(fact: Any, today: date) -> bool:
    """Return whether a fact has a last day and that is over."""
    return isinstance(fact, Mapping) and str(fact.get("expires", "9999")) < today.isoformat()


def has_current_fact(document: Document, today: date) -> bool:
    """Return whether any fact is neither expired nor deprecated."""
    return any(
        not is_expired(fact, today)
        and not (isinstance(fact, Mapping) and fact.get("status") == "deprecated")
        for fact in document["remembered_facts"]
    )


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


def worse(own: Status, came: Status) -> Status:
    """Return the worse of a memory's own status and the shown status of another copy of it."""
    return came if came in _WORSE and _WORSE.index(came) > _WORSE.index(own) else own
