"""The bands of many texts, which arrays give at a tenth of the time."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from project_memory.duplicates import lsh
from project_memory.duplicates.likeness import LEAST

_MANY = 200
"""Texts for which it pays to load numpy."""

_DOUBT = 0.01
"""How far from the truth a resemblance by hashes is at most."""

_LARGEST = (1 << 32) - 1


def bands_of(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the `bands` of each text; few texts take the quick way too where numpy is loaded."""
    if len(texts) < _MANY and "numpy" not in sys.modules:
        return [lsh.bands(text) for text in texts]
    from project_memory.duplicates import bulk  # noqa: PLC0415  # numpy costs 100 ms

    rows = bulk.sketches(texts).tolist()
    return [lsh.keys(row) if row[0] <= _LARGEST else () for row in rows]


def may_be_near(text: str, others: Sequence[str]) -> list[bool]:
    """Return which other texts can be near: all whose grams are not seen to differ too much.

    It spares comparing texts closely where numpy is loaded already; elsewhere all can be.
    """
    if not others or "numpy" not in sys.modules:
        return [True] * len(others)
    from project_memory.duplicates import bulk  # noqa: PLC0415  # it is loaded

    near: list[bool] = (bulk.resemblances(text, others) >= LEAST - _DOUBT).tolist()
    return near
