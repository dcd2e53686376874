"""The imprints of many texts, which arrays give at a tenth of the time."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from project_memory.duplicates import lsh
from project_memory.duplicates.lsh import Imprint

_MANY = 200
"""Texts for which it pays to load numpy."""

_LARGEST = (1 << 32) - 1


def imprints(texts: Sequence[str]) -> list[Imprint]:
    """Return the `imprint` of each text; few take the quick way too where numpy is loaded."""
    if len(texts) < _MANY and "numpy" not in sys.modules:
        return [lsh.imprint(text) for text in texts]
    from project_memory.duplicates import bulk  # noqa: PLC0415  # numpy costs 100 ms

    rows = bulk.sketches(texts).tolist()
    return [lsh.imprint_of(row) if row[0] <= _LARGEST else Imprint() for row in rows]
