"""Days on which something is said to have been observed; none can lie ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from project_memory.model import Document, Problem

_AHEAD = timedelta(days=1)
"""East of Greenwich tomorrow has begun while it is today in UTC."""


def problems(document: Document, today: date) -> Iterator[Problem]:
    """Yield a problem for each day of validation or verification that lies ahead.

    Such a memory would never look old, and would win over every other that contradicts it.

    Args:
        document: One that satisfies the schema.
        today: The day in UTC.
    """
    last = (today + _AHEAD).isoformat()
    for path, day in _days(document):
        if day > last:
            yield Problem(
                "future-date",
                f"'{day}' lies ahead",
                path,
                document["id"],
                "write the day on which it was seen",
            )


def _days(document: Document) -> Iterator[tuple[str, str]]:
    yield "$.evidence.last_validated", document["evidence"]["last_validated"]
    for position, fact in enumerate(document["remembered_facts"]):
        if isinstance(fact, Mapping) and "verified_at" in fact:
            yield f"$.remembered_facts[{position}].verified_at", fact["verified_at"]
