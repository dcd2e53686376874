"""Lexical scores of a query over a corpus: BM25F in two channels, context, and proximity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from project_memory.index import context, reading
from project_memory.index.corpus import Corpus
from project_memory.index.distinct import distinct
from project_memory.index.impacts import Channel, impacts, scales
from project_memory.index.segment import Part, Postings, Segment
from project_memory.ranking import bm25, fuse, hashing, languages, proximity
from project_memory.ranking.tokens import tokens

CONTEXT_LENGTH = 3.0
"""Whole memories that stand around one, on the average, as the length norm of context takes it."""

SURFACE_WEIGHT = 0.5
ADJACENT_WEIGHT = 0.3
NEAR_WEIGHT = 0.1
SINGLE_WEIGHT = 0.2
MAX_REPEATS = 3
CHANNELS: Mapping[Channel, float] = {"stems": 1.0, "surfaces": SURFACE_WEIGHT}
"""What the score of each channel counts."""
DEPTH = 100
"""Rows, the best by their own terms, for which nearness and context are worked out."""


@dataclass(frozen=True, slots=True)
class Term:
    """A query term: its number, its spelling, its weight times idf, and its counting rows."""

    number: int
    text: str
    weight: float
    df: int


@dataclass(frozen=True, slots=True)
class Terms:
    """A query's terms that the corpus knows in each channel, and adjacent pairs of stems."""

    stems: tuple[Term, ...]
    surfaces: tuple[Term, ...]
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
    content = [place for place, token in enumerate(own) if not token.stop]
    content = content or list(range(len(own)))
    forms: dict[int, dict[str, None]] = {place: {} for place in content}
    pairs: dict[tuple[int, int], None] = {}
    for language in (languages.ENGLISH, *corpus.languages):
        read = tokens(query, language)
        kept = [p for p in content if not read[p].stop] or content
        for place in kept:
            forms[place][read[place].stem] = None
        whole = [hashing.number(read[p].stem) for p in kept if not own[p].single]
        pairs |= dict.fromkeys(pairwise(whole))
    stems = _weighed(corpus, "stems", [(tuple(forms[p]), own[p].single) for p in content])
    surfaces = _weighed(corpus, "surfaces", [((own[p].surface,), own[p].single) for p in content])
    known = {term.number for term in stems}
    return Terms(stems, surfaces, tuple(pair for pair in pairs if known.issuperset(pair)))


def is_common(query: str) -> bool:
    """Return whether a query holds nothing but stop words of its language, if any word at all."""
    return all(token.stop for token in tokens(query))


def own_scores(corpus: Corpus, terms: Terms) -> NDArray[np.float64]:
    """Return the BM25F score of each row by its own terms, (rows,), 0 where it does not count."""
    found: list[tuple[NDArray[np.int32], int, NDArray[np.float32], float]] = []
    for channel, factor in CHANNELS.items():
        asked = channel_terms(terms, channel)
        numbers = _numbers(asked)
        for segment, base in zip(corpus.segments, corpus.bases.tolist(), strict=False):
            postings = channel_postings(segment, channel)
            held = impacts(segment, corpus.averages)
            for term, place in zip(asked, postings.locate(numbers).tolist(), strict=True):
                if place >= 0:
                    impact, holding = held.of(channel, place), postings.rows[postings.span(place)]
                    found.append((holding, base, impact, factor * term.weight))
    ends = np.cumsum([0, *(len(holding) for holding, *_ in found)]).tolist()
    rows, shares = np.empty(ends[-1], np.int64), np.empty(ends[-1])
    for (holding, base, impact, weight), start, end in zip(found, ends, ends[1:], strict=False):
        np.add(holding, np.int64(base), out=rows[start:end])
        np.multiply(impact, np.float64(weight), out=shares[start:end])
    total = np.bincount(rows, shares, len(corpus)).astype(np.float64, copy=False)
    total[~corpus.ranked] = 0.0
    return total


def scores(corpus: Corpus, terms: Terms) -> NDArray[np.float64]:
    """Return the lexical score of each row, (rows,)."""
    own = own_scores(corpus, terms)
    best = np.sort(fuse.best(own, DEPTH, corpus.ids))
    if not len(best):
        return own
    read = _read(corpus, terms, best)
    total = own.copy()
    total[best] += proximity_scores(corpus, terms, read) + context_scores(corpus, terms, read)
    return total


def context_of(corpus: Corpus, terms: Terms, row: int) -> float:
    """Return what the texts around a row add to its score."""
    return float(context_scores(corpus, terms, _read(corpus, terms, np.array([row])))[0])


@dataclass(frozen=True, slots=True)
class _Read:
    """The best rows of a query, ascending, and what they and the texts around them say.

    Attributes:
        best: (r,), places of the best rows in what was read.
        around: (k, r), places of the rows around each, -1 where there are no more.
        rows: (u,), the rows that were read.
        said: Where they say the stems of the query.
    """

    best: NDArray[np.int64]
    around: NDArray[np.int64]
    rows: NDArray[np.int64]
    said: reading.Said


def _read(corpus: Corpus, terms: Terms, best: NDArray[np.int64]) -> _Read:
    around = context.around(corpus, best).T
    rows = distinct(np.concatenate((best, around[around >= 0])))
    numbers = _numbers(terms.stems)
    places = np.where(around >= 0, np.searchsorted(rows, around), -1)
    return _Read(np.searchsorted(rows, best), places, rows, reading.read(corpus, numbers, rows))


def context_scores(corpus: Corpus, terms: Terms, read: _Read) -> NDArray[np.float64]:
    """Return what the texts around the best rows add to their scores, (r,)."""
    counts = read.said.counts
    lengths = corpus.lengths(read.rows)
    norms = scales(lengths[read.best], corpus.averages)
    own = sum(counts[part][:, read.best] * norms[:, part] for part in Part)
    # one column more, for those that are not there
    texts = np.zeros((counts.shape[1], len(read.rows) + 1))
    texts[:, :-1] = counts[Part.TITLE] + counts[Part.BODY]
    text_lengths = np.append(lengths[:, Part.TITLE] + lengths[:, Part.BODY], 0)
    setting = bm25.FIELDS["context"]
    average = CONTEXT_LENGTH * corpus.average_length
    length = text_lengths[read.around].sum(axis=0)
    scale = setting.weight / bm25.length_norms(length, setting.b, average)
    more = own + texts[:, read.around].sum(axis=1) * scale
    weights = np.array([term.weight for term in terms.stems]).reshape(-1, 1)
    return np.asarray((weights * (bm25.saturated(more) - bm25.saturated(own))).sum(axis=0))


def held(
    corpus: Corpus, channel: Channel, numbers: NDArray[np.uint64], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return, (terms, rows), where the posting of each term and row is in its segment, or -1.

    Terms are given by number; rows ascend.
    """
    found = np.full((len(numbers), len(rows)), -1, np.int64)
    for number, local, part in corpus.split(rows):
        postings = channel_postings(corpus.segments[number], channel)
        for term, place in enumerate(postings.locate(numbers).tolist()):
            if place >= 0:
                span = postings.span(place)
                holding = postings.rows[span]
                at = np.minimum(np.searchsorted(holding, local), len(holding) - 1)
                found[term, part] = np.where(holding[at] == local, span.start + at, -1)
    return found


def own_parts(corpus: Corpus, channel: Channel, term: int, row: int) -> NDArray[np.float64]:
    """Return, (3,), the weighted frequency of a term in each part of a row."""
    place = held(corpus, channel, np.array([term], np.uint64), np.array([row]))[0]
    segment = corpus.segments[int(np.searchsorted(corpus.bases, row, side="right")) - 1]
    parts = impacts(segment, corpus.averages).parts(channel, place)[0]
    return parts if place[0] >= 0 else np.zeros(len(Part))


def proximity_scores(corpus: Corpus, terms: Terms, read: _Read) -> NDArray[np.float64]:
    """Return the weighted bonus of the best rows for terms that stand near each other, (r,)."""
    place = {term.number: place for place, term in enumerate(terms.stems)}
    owner = np.full(len(read.rows), -1, np.int64)
    owner[read.best] = np.arange(len(read.best))
    owners = owner[read.said.rows]
    own = owners >= 0
    adjacent, near = proximity.scores(
        read.said.places[own],
        read.said.terms[own],
        owners[own],
        corpus.lengths(read.rows[read.best]).sum(axis=1),
        [(place[first], place[second]) for first, second in terms.pairs],
        n=corpus.n,
        average=corpus.average_length,
    )
    return ADJACENT_WEIGHT * adjacent + NEAR_WEIGHT * near


def channel_postings(segment: Segment, channel: Channel) -> Postings:
    """Return the postings of a channel."""
    return segment.stems if channel == "stems" else segment.surfaces


def channel_terms(terms: Terms, channel: Channel) -> tuple[Term, ...]:
    """Return the terms of a channel."""
    return terms.stems if channel == "stems" else terms.surfaces


def document_frequencies(
    corpus: Corpus, channel: Channel, numbers: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """Return in how many counting rows each term, given by number, occurs."""
    counts = np.zeros(len(numbers), np.int64)
    for segment, hidden in zip(corpus.segments, corpus.hidden, strict=True):
        postings = channel_postings(segment, channel)
        at = postings.locate(numbers)
        for place in np.flatnonzero(at >= 0).tolist():
            rows = postings.rows[postings.span(at[place])]
            counts[place] += len(rows)
            if len(hidden):
                near = np.minimum(np.searchsorted(rows, hidden), len(rows) - 1)
                counts[place] -= np.count_nonzero(rows[near] == hidden)
    return counts


def _numbers(terms: Sequence[Term]) -> NDArray[np.uint64]:
    return np.array([term.number for term in terms], np.uint64)


def _weighed(
    corpus: Corpus, channel: Channel, forms: Iterable[tuple[tuple[str, ...], bool]]
) -> tuple[Term, ...]:
    """Return terms with their weights; the forms of one word have the idf of them all together."""
    counts = Counter((form, single) for each, single in forms for form in each)
    numbers = {form: hashing.number(form) for form, _ in counts}
    found = document_frequencies(corpus, channel, np.array(list(numbers.values()), np.uint64))
    df = dict(zip(numbers, found.tolist(), strict=True))
    words = [
        (tuple(form for form in each if df[form]), single) for each, single in dict.fromkeys(forms)
    ]
    together = np.array([min(corpus.n, sum(df[form] for form in present)) for present, _ in words])
    weights: dict[str, float] = {}
    for (present, single), idf in zip(words, bm25.idf(together, corpus.n).tolist(), strict=True):
        for form in present:
            times = min(counts[form, single], MAX_REPEATS)
            weights[form] = times * (SINGLE_WEIGHT if single else 1.0) * idf
    ordered = sorted((numbers[form], form) for form in weights)
    return tuple(Term(number, form, weights[form], df[form]) for number, form in ordered)
