"""Warn of facts that no longer hold, or that say two things under one key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from project_memory.documents import fold, quotable
from project_memory.model import Document, Problem, Severity


def problems(documents: Mapping[str, Document], today: date) -> Iterator[Problem]:
    """Yield a warning for every expired fact, and every one whose key has another value earlier.

    Args:
        documents: By id; those that readers take for current.
        today: A fact expires at the end of its day.
    """
    values: dict[str, tuple[str, str]] = {}
    for name in sorted(documents):
        for position, fact in enumerate(documents[name]["remembered_facts"]):
            if isinstance(fact, Mapping) and fact.get("status") != "deprecated":
                where = f"$.remembered_facts[{position}]"
                if fact.get("expires", "9999") < today.isoformat():
                    yield _expired(fact, name, where)
                elif "key" in fact:
                    first = values.setdefault(fold(fact["key"]), (fold(fact["fact"]), name))
                    if first[0] != fold(fact["fact"]):
                        yield _contradictory(fact, name, where, first[1])


def _expired(fact: Mapping[str, Any], name: str, where: str) -> Problem:
    return Problem(
        "expired-fact",
        f"the fact expired on '{fact['expires']}'",
        f"{where}.expires",
        name,
        "check it again and set a later date, or set its status to deprecated",
        Severity.WARNING,
    )


def _contradictory(fact: Mapping[str, Any], name: str, where: str, other: str) -> Problem:
    place = "earlier in the same memory" if other == name else f"in '{other}'"
    return Problem(
        "contradictory-facts",
        f"key '{quotable(fact['key'])}' has another value {place}",
        where,
        name,
        "set the status of the one that does not hold to deprecated",
        Severity.WARNING,
    )
