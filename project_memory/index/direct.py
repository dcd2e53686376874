"""Which answers a query reached by its own rarer words, and not by common ones or the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from project_memory.index.corpus import Channel, Corpus
from project_memory.index.lexical import Terms

FEW = 3
"""A word in so few memories is rare, however small the collection."""

RARE_SHARE = 0.1
"""A word in a larger share of the memories is common, whatever else the query holds."""

_OWN = ("title", "body", "labels")


def matched(corpus: Corpus, terms: Terms, rows: Sequence[int]) -> NDArray[np.bool_]:
    """Return, (rows,), whether the rarer words earned at least half of each row's score.

    Only the memory's own words count, not those around it. The rarer words are the rarer half of
    those that the collection knows, as far as they are in at most a tenth of it.
    """
    if not terms.stems or not rows:
        return np.zeros(len(rows), np.bool_)
    columns = np.array(sorted(terms.stems), np.int64)
    rare = _rare(corpus.stems, columns, len(corpus.ids))
    weights = np.array([terms.stems[column] for column in columns.tolist()])
    shares = _own(corpus.stems, rows, columns) * weights
    whole = shares.sum(axis=1)
    earned: NDArray[np.bool_] = (whole > 0) & (2 * shares[:, rare].sum(axis=1) >= whole)
    return earned


def _rare(channel: Channel, columns: NDArray[np.int64], n: int) -> NDArray[np.bool_]:
    df = np.diff(channel.weights.indptr)[columns]
    rare: NDArray[np.bool_] = df <= min(np.median(df), max(FEW, RARE_SHARE * n))
    return rare


def _own(channel: Channel, rows: Sequence[int], columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the term weights, (rows, columns); 0 where the memory itself lacks the term."""
    held = sum(_cells(channel.parts, field, rows, columns) for field in _OWN)
    weights = channel.weights[:, columns].toarray()[list(rows)]
    own: NDArray[np.float64] = np.where(held > 0, weights, 0.0)
    return own


def _cells(
    parts: Mapping[str, sparse.csc_array],
    field: str,
    rows: Sequence[int],
    columns: NDArray[np.int64],
) -> NDArray[np.float64]:
    cells: NDArray[np.float64] = parts[field][:, columns].toarray()[list(rows)]
    return cells
