"""Expectations as ``meta.json`` and the single file hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from project_memory.model import Expectation, as_json


def to_json(expectations: Iterable[Expectation]) -> list[dict[str, Any]]:
    """Return expectations as plain JSON, by query, then labels."""
    ordered = sorted(expectations, key=lambda each: (each.query, each.labels or ""))
    return [as_json(each) for each in ordered]


def from_json(value: Mapping[str, Any]) -> Expectation:
    """Return an expectation of the right form; its ids are sorted."""
    return Expectation(
        value["query"], tuple(sorted(value["expects"])), value["within"], value.get("labels")
    )
