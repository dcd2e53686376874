"""Lexical scores of a query over a corpus: BM25F in two channels, and proximity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from project_memory.index.corpus import Channel, Corpus
from project_memory.ranking import bm25, fuse, languages, proximity
from project_memory.ranking.tokens import tokens

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

    Stop words of the query's language are dropped, unless there is nothing else. The query is
    stemmed once for each language of the collection, where that language's stop words count
    neither; the forms of a word share one idf, so that a rare language is not favoured.
    """
    own = tokens(query)
    content = [number for number, token in enumerate(own) if not token.stop]
    content = content or list(range(len(own)))
    forms: dict[int, set[int]] = {number: set() for number in content}
    pairs: dict[tuple[int, int], None] = {}
    for language in _languages(corpus):
        read = tokens(query, language)
        kept = [n for n in content if not read[n].stop] or content
        columns = {n: corpus.stems.terms.get(read[n].stem, -1) for n in kept}
        for number, column in columns.items():
            forms[number] |= {column} - {-1}
        whole = [columns[n] for n in kept if not own[n].single]
        pairs |= dict.fromkeys(pair for pair in pairwise(whole) if min(pair) >= 0)
    surfaces = _weights((own[n].surface, own[n].single) for n in content)
    stems = _shared(corpus.stems, [(forms[n], own[n].single) for n in content], len(corpus.ids))
    return Terms(stems, _known(corpus.surfaces, surfaces), tuple(pairs))


def _shared(channel: Channel, forms: Sequence[tuple[set[int], bool]], n: int) -> dict[int, float]:
    """Return column -> weight; forms of one word have the idf of them all together."""
    df = np.diff(channel.weights.indptr)
    counts = Counter((column, single) for columns, single in forms for column in columns)
    found: dict[int, float] = {}
    for columns, single in dict.fromkeys((frozenset(c), s) for c, s in forms if c):
        idf = float(bm25.idf(np.array([df[list(columns)].sum()]), n)[0])
        for column in columns:
            weight = min(counts[column, single], MAX_REPEATS) * (SINGLE_WEIGHT if single else 1.0)
            found[column] = weight * idf / float(bm25.idf(df[[column]], n)[0])
    return found


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


def _weights(read: Iterable[tuple[str, bool]]) -> dict[str, float]:
    counts = Counter(read)
    return {
        term: min(count, MAX_REPEATS) * (SINGLE_WEIGHT if single else 1.0)
        for (term, single), count in counts.items()
    }


def _known(channel: Channel, weights: dict[str, float]) -> dict[int, float]:
    return {channel.terms[t]: w for t, w in weights.items() if t in channel.terms}
