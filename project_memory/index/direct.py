"""Which answers a query reached by its own rarer words, and not by common ones or the graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from project_memory.index import lexical
from project_memory.index.corpus import Corpus
from project_memory.ranking import bm25

FEW = 3
"""A word in so few memories is rare, however small the collection."""

RARE_SHARE = 0.1
"""A word in a larger share of the memories is common, whatever else the query holds."""


def matched(corpus: Corpus, terms: lexical.Terms, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return, (rows,), whether the rarer words earned at least half of each row's score.

    Rows are ascending. Only the memory's own words count, not those around it. The rarer words are
    the rarer half of those that the collection knows, as far as they are in at most a tenth of it.
    """
    if not terms.stems or not len(rows):
        return np.zeros(len(rows), np.bool_)
    df = np.array([lexical.document_frequency(corpus, "stems", t.number) for t in terms.stems])
    rare = df <= min(np.median(df), max(FEW, RARE_SHARE * corpus.n))
    shares = np.stack(
        [
            term.weight
            * bm25.saturated(lexical.own_parts(corpus, "stems", term.number, rows).sum(axis=1))
            for term in terms.stems
        ],
        axis=1,
    )
    whole = shares.sum(axis=1)
    earned: NDArray[np.bool_] = (whole > 0) & (2 * shares[:, rare].sum(axis=1) >= whole)
    return earned
