"""Bonus for query terms that stand next to or near each other.

Metzler and Croft 2005, "A Markov random field model for term dependencies": adjacent pairs in
order and unordered pairs within a window, each scored like a term by BM25.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from project_memory.ranking import bm25

WINDOW = 8
_B = 0.75


def scores(
    places: NDArray[np.int64],
    terms: NDArray[np.int64],
    owners: NDArray[np.int64],
    lengths: NDArray[np.int64],
    pairs: Sequence[tuple[int, int]],
    *,
    n: int,
    average: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (adjacent, near) scores of documents, both (documents,).

    Args:
        places: (s,), places of the query's terms in all documents one after the other, ascending;
            what divides fields takes a place.
        terms: (s,), the number of the term that stands there, counted from 0.
        owners: (s,), its document.
        lengths: Terms of each document.
        pairs: Adjacent terms of the query, in order.
        n: Documents in the collection, for the idf.
        average: Average of `lengths` over the collection.
    """
    documents = len(lengths)
    left, right = _close(places, owners)
    touching = places[right] - places[left] == 1
    size = 1 + max((term for pair in pairs for term in pair), default=0)
    asked = np.full((size + 1, size + 1), -1, np.int64)
    for number, pair in enumerate(pairs):
        asked[pair] = number
    # terms of no pair share the last line, where none is asked for
    first, second = np.minimum(terms[left], size), np.minimum(terms[right], size)
    ordered, turned = asked[first, second], asked[second, first]
    cells = ordered * documents + owners[left]
    others = (turned * documents + owners[left])[turned >= 0]
    shape = len(pairs), documents
    next_to = np.bincount(cells[(ordered >= 0) & touching], minlength=shape[0] * shape[1])
    within = np.bincount(cells[ordered >= 0], minlength=len(next_to))
    within += np.bincount(others, minlength=len(next_to))
    norms = np.asarray(1 - _B + _B * lengths / max(average, 1e-9), np.float64)
    return _scored(next_to.reshape(shape), norms, n), _scored(within.reshape(shape), norms, n)


def _close(
    places: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (left, right), two found places of one document within the window, every pair."""
    found = [np.zeros(0, np.int64)]
    steps = [0]
    for step in range(1, WINDOW):
        gap = places[step:] - places[:-step]
        left = np.flatnonzero((gap < WINDOW) & (rows[step:] == rows[:-step]))
        if not len(left):
            break
        found.append(left)
        steps.append(step)
    lefts = np.concatenate(found)
    return lefts, lefts + np.repeat(steps, [len(each) for each in found])


def _scored(counts: NDArray[np.int64], norms: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return the sum of the scores of pairs, (documents,), from counts, (pairs, documents)."""
    idf = bm25.idf(np.count_nonzero(counts, axis=1), n)
    each = bm25.saturated(counts / norms) * idf[:, np.newaxis]
    return np.asarray(each.sum(axis=0))
