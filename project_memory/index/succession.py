"""Which rows are outdated, and which ones took their place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from project_memory.index.building import KINDS
from project_memory.index.corpus import Corpus
from project_memory.index.segment import OWN, SHOWN, STATUSES
from project_memory.model import Status

_SUPERSEDED_BY = KINDS.index("superseded_by")
_SUPERSEDED, _WRONG = STATUSES.index(Status.SUPERSEDED), STATUSES.index(Status.WRONG)


def outdated(corpus: Corpus, scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the rows with a finite score, (rows,), that are superseded or wrong."""
    statuses = corpus.statuses
    behind = (statuses[:, SHOWN] == _SUPERSEDED) | (statuses[:, OWN] == _WRONG)
    return np.flatnonzero(behind & np.isfinite(scores))


def heirs(corpus: Corpus, row: int) -> list[int]:
    """Return the rows at the live ends of the supersession chains that start at a row.

    See `relations.current_successors`.
    """
    ends, seen, waiting = set(), {row}, _successors(corpus, row)
    while waiting:
        successor = waiting.pop()
        if successor not in seen:
            seen.add(successor)
            further = _successors(corpus, successor)
            waiting.extend(further)
            if not further:
                ends.add(successor)
    return sorted(ends)


def _successors(corpus: Corpus, row: int) -> list[int]:
    _, targets, kinds = corpus.links(np.array([row]))
    # an archived memory has no row that counts, and is not live either
    rows = corpus.rows_with_ids(targets[kinds == _SUPERSEDED_BY])
    rows = rows[rows >= 0]
    found: list[int] = rows[corpus.statuses[rows, OWN] != _WRONG].tolist()
    return found
