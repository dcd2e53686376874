"""Lexical scores of a query over a corpus: BM25F in two channels, context, and proximity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from project_memory.index import context
from project_memory.index.corpus import Corpus
from project_memory.index.impacts import Channel, impacts
from project_memory.index.segment import DIVIDER, Part, Postings, Segment
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
PROXIMITY_DEPTH = 100
"""Rows, the best by their own terms, for which nearness is worked out."""

CONTEXT_DEPTH = 200
"""Rows, the best by their own terms, for which context is worked out."""


@dataclass(frozen=True, slots=True)
class Term:
    """A query term: its number, its spelling, and its weight times idf."""

    number: int
    text: str
    weight: float


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
    total = np.zeros(len(corpus))
    for channel, factor in CHANNELS.items():
        for term in channel_terms(terms, channel):
            for segment, base, place in found(corpus, channel, term.number):
                postings = channel_postings(segment, channel)
                impact = impacts(segment, corpus.averages).of(channel, place)
                rows = base + postings.rows[postings.span(place)]
                total[rows] += np.multiply(impact, factor * term.weight, dtype=np.float64)
    total[~corpus.ranked] = 0.0
    return total


def scores(corpus: Corpus, terms: Terms) -> NDArray[np.float64]:
    """Return the lexical score of each row, (rows,)."""
    own = own_scores(corpus, terms)
    best = fuse.best(own, PROXIMITY_DEPTH, corpus.ids)
    if not len(best):
        return own
    total = own.copy()
    near, around = np.sort(best), np.sort(best[:CONTEXT_DEPTH])
    total[near] += proximity_scores(corpus, terms.pairs, near)
    total[around] += context_scores(corpus, terms, around)
    return total


def context_scores(corpus: Corpus, terms: Terms, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what the texts around these rows, ascending, add to their scores, (rows,)."""
    around = context.around(corpus, rows)
    held = around >= 0
    lengths = corpus.lengths_at(around)
    setting = bm25.FIELDS["context"]
    average = CONTEXT_LENGTH * corpus.average_length
    scale = setting.weight / bm25.length_norms(lengths, setting.b, average)
    added = np.zeros(len(rows))
    for term in terms.stems:
        counts = np.zeros(len(corpus) + 1)
        for segment, base, place in found(corpus, "stems", term.number):
            span = segment.stems.span(place)
            held_counts = segment.stems.counts[span].astype(np.float64)
            rows_of_term = base + segment.stems.rows[span]
            counts[rows_of_term] = held_counts[:, Part.TITLE] + held_counts[:, Part.BODY]
        said = np.where(held, counts[around], 0.0).sum(axis=1)
        touched = np.flatnonzero(said)
        own = own_frequency(corpus, "stems", term.number, rows[touched])
        more = own + said[touched] * scale[touched]
        added[touched] += term.weight * (bm25.saturated(more) - bm25.saturated(own))
    return added


def own_frequency(
    corpus: Corpus, channel: Channel, term: int, rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the weighted frequency of a term in rows, ascending, by their own text, (rows,)."""
    frequency: NDArray[np.float64] = own_parts(corpus, channel, term, rows).sum(axis=1)
    return frequency


def own_parts(
    corpus: Corpus, channel: Channel, term: int, rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return, (rows, 3), the weighted frequency of a term in each part of rows, ascending."""
    parts = np.zeros((len(rows), len(Part)))
    for number, local, part in corpus.split(rows):
        segment = corpus.segments[number]
        postings = channel_postings(segment, channel)
        place = postings.place(term)
        if place < 0:
            continue
        span = postings.span(place)
        at = span.start + np.searchsorted(postings.rows[span], local)
        at = np.minimum(at, span.stop - 1)
        hit = postings.rows[at] == local
        scaled = impacts(segment, corpus.averages).parts(channel, at)
        parts[part] = np.where(hit[:, np.newaxis], scaled, 0.0)
    return parts


def proximity_scores(
    corpus: Corpus, pairs: Sequence[tuple[int, int]], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the weighted proximity bonus of these rows, ascending, (rows,)."""
    bonus = np.zeros(len(rows))
    places = _with_a_pair(corpus, pairs, rows)
    if len(places):
        numbers = sorted({term for pair in pairs for term in pair})
        sequence, owners = _sequence(corpus, numbers, rows[places])
        order = {number: place for place, number in enumerate(numbers)}
        adjacent, near = proximity.scores(
            sequence,
            owners,
            corpus.lengths(rows[places]).sum(axis=1),
            [(order[first], order[second]) for first, second in pairs],
            n=corpus.n,
            average=corpus.average_length,
        )
        bonus[places] = ADJACENT_WEIGHT * adjacent + NEAR_WEIGHT * near
    return bonus


def _with_a_pair(
    corpus: Corpus, pairs: Sequence[tuple[int, int]], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the places of the rows that hold both terms of some pair."""
    held = {term: _holding(corpus, term, rows) for term in {t for pair in pairs for t in pair}}
    both = np.zeros(len(rows), np.bool_)
    for first, second in pairs:
        both |= held[first] & held[second]
    return np.flatnonzero(both)


def _holding(corpus: Corpus, term: int, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    holding = np.zeros(len(rows), np.bool_)
    for number, local, part in corpus.split(rows):
        stems = corpus.segments[number].stems
        place = stems.place(term)
        if place >= 0:
            held = stems.rows[stems.span(place)]
            near = np.minimum(np.searchsorted(held, local), len(held) - 1)
            holding[part] = held[near] == local
    return holding


def _sequence(
    corpus: Corpus, numbers: Sequence[int], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return (the stems of rows as places in `numbers`, or negative; the place of its row)."""
    wanted = np.array(numbers, np.uint64)
    sequences, owners = [], []
    for number, local, part in corpus.split(rows):
        segment = corpus.segments[number]
        told = np.full(len(segment.stems.terms) + 1, OTHER, np.int16)
        at = segment.stems.locate(wanted)
        told[at[at >= 0]] = np.flatnonzero(at >= 0)
        told[DIVIDER] = DIVIDER
        places, counts = segment.sequence.of(local)
        sequences.append(told[segment.sequence.values[places]])
        owners.append(np.repeat(np.arange(part.start, part.stop), counts))
    return np.concatenate(sequences), np.concatenate(owners)


OTHER = -2
"""Stands for every term that the query does not name."""


def found(corpus: Corpus, channel: Channel, term: int) -> Iterator[tuple[Segment, int, int]]:
    """Yield (segment, number of its first row, place of the term) where a term occurs."""
    for segment, base in zip(corpus.segments, corpus.bases, strict=False):
        place = channel_postings(segment, channel).place(term)
        if place >= 0:
            yield segment, int(base), place


def channel_postings(segment: Segment, channel: Channel) -> Postings:
    """Return the postings of a channel."""
    return segment.stems if channel == "stems" else segment.surfaces


def channel_terms(terms: Terms, channel: Channel) -> tuple[Term, ...]:
    """Return the terms of a channel."""
    return terms.stems if channel == "stems" else terms.surfaces


def document_frequency(corpus: Corpus, channel: Channel, term: int) -> int:
    """Return in how many counting rows a term occurs."""
    count = 0
    for place, segment in enumerate(corpus.segments):
        postings = channel_postings(segment, channel)
        at = postings.place(term)
        if at >= 0:
            rows, hidden = postings.rows[postings.span(at)], corpus.hidden[place]
            near = np.minimum(np.searchsorted(rows, hidden), len(rows) - 1)
            count += len(rows) - int(np.count_nonzero(rows[near] == hidden))
    return count


def _weighed(
    corpus: Corpus, channel: Channel, forms: Iterable[tuple[tuple[str, ...], bool]]
) -> tuple[Term, ...]:
    """Return terms with their weights; the forms of one word have the idf of them all together."""
    counts = Counter((form, single) for each, single in forms for form in each)
    df = {form: document_frequency(corpus, channel, hashing.number(form)) for form, _ in counts}
    weights: dict[str, float] = {}
    for each, single in dict.fromkeys(forms):
        present = [form for form in each if df[form]]
        together = min(corpus.n, sum(df[form] for form in present))
        idf = float(bm25.idf(np.array([together]), corpus.n)[0]) if present else 0.0
        for form in present:
            times = min(counts[form, single], MAX_REPEATS)
            weights[form] = times * (SINGLE_WEIGHT if single else 1.0) * idf
    ordered = sorted((hashing.number(form), form) for form in weights)
    return tuple(Term(number, form, weights[form]) for number, form in ordered)
