"""Find facts that no longer hold, or that say two things under one key, and warn of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from project_memory.documents import fold, quotable
from project_memory.lifecycle import is_expired
from project_memory.model import Document, Problem, Severity


@dataclass(frozen=True, slots=True)
class Expired:
    """A fact whose last day, `expires`, is over; `position` counts the memory's facts from 0."""

    memory: str
    position: int
    expires: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """A fact whose key has another value in the memory `other`, or earlier in the same one."""

    memory: str
    position: int
    key: str
    other: str


Fault: TypeAlias = Expired | Conflict


def faults(documents: Mapping[str, Document], today: date) -> Iterator[Fault]:
    """Yield every fact that expired, and every one whose key has another value earlier.

    Args:
        documents: By id; those that readers take for current.
        today: A fact expires at the end of its day.
    """
    values: dict[str, tuple[str, str]] = {}
    for name in sorted(documents):
        for position, fact in enumerate(documents[name]["remembered_facts"]):
            if isinstance(fact, Mapping) and fact.get("status") != "deprecated":
                if is_expired(fact, today):
                    yield Expired(name, position, fact["expires"])
                elif "key" in fact:
                    first = values.setdefault(fold(fact["key"]), (fold(fact["fact"]), name))
                    if first[0] != fold(fact["fact"]):
                        yield Conflict(name, position, fact["key"], first[1])


def problems(documents: Mapping[str, Document], today: date) -> Iterator[Problem]:
    """Yield a warning for each of the `faults`."""
    return (_problem(fault) for fault in faults(documents, today))


def _problem(fault: Fault) -> Problem:
    where = f"$.remembered_facts[{fault.position}]"
    match fault:
        case Expired(memory=name, expires=expires):
            return Problem(
                "expired-fact",
                f"the fact expired on '{expires}'",
                f"{where}.expires",
                name,
                "check it again and set a later date, or set its status to deprecated",
                Severity.WARNING,
            )
        case Conflict(memory=name, key=key, other=other):
            place = "earlier in the same memory" if other == name else f"in '{other}'"
            return Problem(
                "contradictory-facts",
                f"key '{quotable(key)}' has another value {place}",
                where,
                name,
                "set the status of the one that does not hold to deprecated",
                Severity.WARNING,
            )
