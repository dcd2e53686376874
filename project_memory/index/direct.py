"""Which answers a query reached by its own rarer words, and not by common ones or the graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from project_memory.index import lexical
from project_memory.index.corpus import Corpus

FEW = 3
"""A word in so few memories is rare, however small the collection."""

MANY = 3
"""So many of the rarer words are enough, however many a long query has."""

RARE_SHARE = 0.1
"""A word in a larger share of the memories is common, whatever else the query holds."""


SHARE = 0.4
"""So much of the weight of a sentence must be shared by what bears on it."""

HEAVIEST = 8
"""Words that make up the weight of a sentence; a longer one is no more about anything."""


def matched(corpus: Corpus, terms: lexical.Terms, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return, (rows,), whether each row holds the rarer words of a query, and so was meant.

    It does where it has at least half of them by weight, or `MANY`; words of those around it do
    not count. The rarer words are the rarer half of those that the collection knows, as far as
    they are in at most a tenth of it. Rows are ascending.
    """
    df = [term.df for term in terms.stems]
    if not df or not len(rows):
        return np.zeros(len(rows), np.bool_)
    most = min(float(np.median(df)), max(FEW, RARE_SHARE * corpus.n))
    rare = [term for term in terms.stems if term.df <= most]
    if not rare:
        return np.zeros(len(rows), np.bool_)
    numbers = np.array([term.number for term in rare], np.uint64)
    held = (lexical.held(corpus, "stems", numbers, rows) >= 0).T
    weights = np.array([term.weight for term in rare])
    meant: NDArray[np.bool_] = (2 * (held @ weights) >= weights.sum()) | (held.sum(axis=1) >= MANY)
    return meant


def shared(
    corpus: Corpus, terms: lexical.Terms, rows: NDArray[np.int64], *, least: int
) -> NDArray[np.bool_]:
    """Return, (rows,), whether each row shares enough with a sentence that asked for nothing.

    It does where it holds `least` of its words and `SHARE` of the weight of the `HEAVIEST` of
    those that the collection knows. Rows are ascending.
    """
    if not terms.stems or not len(rows):
        return np.zeros(len(rows), np.bool_)
    numbers = np.array([term.number for term in terms.stems], np.uint64)
    weights = np.array([term.weight for term in terms.stems])
    held = (lexical.held(corpus, "stems", numbers, rows) >= 0).T
    whole = np.sort(weights)[-HEAVIEST:].sum()
    enough: NDArray[np.bool_] = held @ weights >= SHARE * whole
    enough &= held.sum(axis=1) >= least
    return enough
