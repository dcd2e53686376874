"""The imprints of many texts, which arrays give at a tenth of the time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from project_memory.duplicates import lsh
from project_memory.duplicates.lsh import Imprint
from project_memory.duplicates.minhash import sketch

_MANY = 200
"""Texts for which it pays to load numpy."""

_LARGEST = (1 << 32) - 1


def imprints(texts: Sequence[str]) -> list[Imprint]:
    """Return the `imprint` of each text; few take the quick way too where numpy is loaded."""
    return [Imprint() if row is None else lsh.imprint_of(row) for row in _sketches(texts)]


def least_bands(texts: Sequence[str]) -> list[int | None]:
    """Return the least band of the `imprint` of each text, None for one without a letter."""
    return [None if row is None else lsh.least_band(row) for row in _sketches(texts)]


def _sketches(texts: Sequence[str]) -> Iterable[Sequence[int] | None]:
    if len(texts) < _MANY and "numpy" not in sys.modules:
        return map(sketch, texts)
    from project_memory.duplicates import bulk  # noqa: PLC0415  # numpy costs 100 ms

    rows = bulk.sketches(texts).tolist()
    return [row if row[0] <= _LARGEST else None for row in rows]
