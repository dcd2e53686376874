"""Expectations as ``meta.json`` and the single file hold them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from project_memory.documents import quotable
from project_memory.model import Expectation, Problem, Severity, as_json

DOUBLE, UNKNOWN = "double-expectation", "unknown-expected"
"""Codes of what is doubtful of expectations that stand together."""


def to_json(expectations: Iterable[Expectation]) -> list[dict[str, Any]]:
    """Return expectations as plain JSON, by query, then labels."""
    ordered = sorted(expectations, key=lambda each: (each.query, each.labels or ""))
    return [as_json(each) for each in ordered]


def from_json(value: Mapping[str, Any]) -> Expectation:
    """Return an expectation of the right form; its ids are sorted."""
    return Expectation(
        value["query"], tuple(sorted(value["expects"])), value["within"], value.get("labels")
    )


def problems(expectations: Sequence[Expectation], known: Collection[str]) -> Iterator[Problem]:
    """Yield what is doubtful of expectations that stand together, with its path.

    Args:
        expectations: In their order.
        known: Ids of the memories beside them, and of those that could not be read.
    """
    first: dict[str, int] = {}
    for place, each in enumerate(expectations):
        path = f"$.expectations[{place}]"
        if first.setdefault(each.id, place) != place:
            yield Problem(
                DOUBLE,
                f"the same is asked of these labels at $.expectations[{first[each.id]}] already",
                path,
                fix="keep one of them, with all that it expects",
                severity=Severity.WARNING,
            )
        for name in each.expects:
            if name not in known:
                yield Problem(
                    UNKNOWN,
                    f"no memory '{quotable(name)}' is here that could be found",
                    path,
                    fix="correct the id, or take the expectation out",
                    severity=Severity.WARNING,
                )
