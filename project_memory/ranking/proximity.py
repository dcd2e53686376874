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
    sequences: NDArray[np.integer],
    owners: NDArray[np.int64],
    lengths: NDArray[np.int64],
    pairs: Sequence[tuple[int, int]],
    *,
    n: int,
    average: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (adjacent, near) scores of documents, both (documents,).

    Args:
        sequences: Term numbers of all documents one after the other; what no pair names, and what
            divides fields, is negative.
        owners: Row of the document that each place belongs to.
        lengths: Terms of each document.
        pairs: Adjacent terms of the query, in order.
        n: Documents in the collection, for the idf.
        average: Average of `lengths` over the collection.
    """
    places = np.flatnonzero(sequences >= 0)
    terms, rows = sequences[places], owners[places]
    norms = np.asarray(1 - _B + _B * lengths / max(average, 1e-9), np.float64)
    adjacent, near = np.zeros(len(lengths)), np.zeros(len(lengths))
    left, right = _close(places, rows)
    first, second, whose = terms[left], terms[right], rows[left]
    touching = places[right] - places[left] == 1
    for one, other in pairs:
        ordered = (first == one) & (second == other)
        turned = (first == other) & (second == one)
        next_to = np.bincount(whose[ordered & touching], minlength=len(lengths))
        within = np.bincount(whose[ordered], minlength=len(lengths))
        within += np.bincount(whose[turned], minlength=len(lengths))
        adjacent += _scored(next_to, norms, n)
        near += _scored(within, norms, n)
    return adjacent, near


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
    df = np.array([np.count_nonzero(counts)])
    return bm25.saturated(counts / norms) * float(bm25.idf(df, n)[0])
