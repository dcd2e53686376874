"""Lexical scores of a query over a corpus: BM25F in two channels, and proximity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from project_memory.index.corpus import Channel, Corpus
from project_memory.ranking import fuse, languages, proximity
from project_memory.ranking.tokens import Token, tokens

SURFACE_WEIGHT = 0.5
ADJACENT_WEIGHT = 0.3
NEAR_WEIGHT = 0.1
SINGLE_WEIGHT = 0.2
MAX_REPEATS = 3
PROXIMITY_DEPTH = 1000


@dataclass(frozen=True, slots=True)
class Terms:
    """A query's terms: weights by column of each channel, and adjacent pairs of stems."""

    stems: dict[int, float]
    surfaces: dict[int, float]
    pairs: tuple[tuple[int, int], ...]

    @property
    def matched(self) -> bool:
        """Return whether any term occurs in the collection."""
        return bool(self.stems or self.surfaces)


def query_terms(corpus: Corpus, query: str) -> Terms:
    """Return the terms of a query that the corpus knows.

    Stop words are dropped unless there is nothing else. The query is stemmed once for each
    language of the collection.
    """
    stems: dict[int, float] = {}
    pairs: dict[tuple[int, int], None] = {}
    read: list[Token] = []
    for language in _languages(corpus):
        read = _content(tokens(query, language))
        found = _weights((t.stem, t.single) for t in read)
        stems |= _known(corpus.stems, found)
        columns = [corpus.stems.terms.get(t.stem, -1) for t in read if not t.single]
        adjacent = pairwise(columns)
        pairs |= dict.fromkeys(pair for pair in adjacent if min(pair) >= 0)
    surfaces = _known(corpus.surfaces, _weights((t.surface, t.single) for t in read))
    return Terms(stems, surfaces, tuple(pairs))


def scores(corpus: Corpus, terms: Terms) -> NDArray[np.float64]:
    """Return the lexical score of each document, (n,)."""
    total = channel_scores(corpus.stems, terms.stems, len(corpus.ids))
    total += SURFACE_WEIGHT * channel_scores(corpus.surfaces, terms.surfaces, len(corpus.ids))
    if terms.pairs and total.any():
        rows = np.sort(fuse.best(total, PROXIMITY_DEPTH))
        total[rows] += proximity_scores(corpus, terms.pairs, rows)
    return total


def channel_scores(channel: Channel, weights: dict[int, float], n: int) -> NDArray[np.float64]:
    """Return the weighted sum of a channel's columns, (n,)."""
    total = np.zeros(n)
    matrix = channel.weights
    for column, weight in sorted(weights.items()):
        start, end = matrix.indptr[column], matrix.indptr[column + 1]
        total[matrix.indices[start:end]] += weight * matrix.data[start:end]
    return total


def proximity_scores(
    corpus: Corpus, pairs: Sequence[tuple[int, int]], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the weighted proximity bonus of these rows, (rows,)."""
    starts, ends = corpus.offsets[rows], corpus.offsets[rows + 1]
    owners = np.repeat(np.arange(len(rows)), ends - starts)
    within = np.arange(len(owners)) - np.repeat(
        np.cumsum(ends - starts) - (ends - starts), ends - starts
    )
    places = np.repeat(starts, ends - starts) + within
    adjacent, near = proximity.scores(
        corpus.sequence[places],
        owners,
        corpus.lengths[rows],
        pairs,
        n=len(corpus.ids),
        average=float(corpus.lengths.mean()),
    )
    bonus: NDArray[np.float64] = ADJACENT_WEIGHT * adjacent + NEAR_WEIGHT * near
    return bonus


def _languages(corpus: Corpus) -> list[str]:
    short = {name[:2]: name for name in languages.LANGUAGES if name != languages.ENGLISH}
    return [languages.ENGLISH, *(short[prefix] for prefix in corpus.languages)]


def _content(read: list[Token]) -> list[Token]:
    kept = [token for token in read if not token.stop]
    return kept or read


def _weights(read: Iterable[tuple[str, bool]]) -> dict[str, float]:
    counts = Counter(read)
    return {
        term: min(count, MAX_REPEATS) * (SINGLE_WEIGHT if single else 1.0)
        for (term, single), count in counts.items()
    }


def _known(channel: Channel, weights: dict[str, float]) -> dict[int, float]:
    return {channel.terms[t]: w for t, w in weights.items() if t in channel.terms}
