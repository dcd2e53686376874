"""What joins memories besides links: labels, files, phrases, and names that texts mention.

Whether a hub counts, and how much, is decided when it is asked, from how many rows are tied to it
then; see `Hubs`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from project_memory.index.corpus import Corpus
from project_memory.index.segment import CASE, Case, Tie, spread

RARE = 30
"""Rows that a name may join, and that may own it."""

OWNER_WEIGHT = 100.0
UNIQUE_SHARE = 0.25
ANY = Tie.OWNER | Tie.PHRASE | Tie.MENTION | Tie.CARRIED
COMMON = 0.5
"""A word is common when so many rows for each that has it with a capital have it without."""


_NO_PLACES = np.zeros(0, np.int64)
_NO_NUMBERS = np.zeros(0, np.uint64)
_NO_BITS = np.zeros(0, np.uint8)


@dataclass(frozen=True, slots=True)
class Hubs:
    """Some hubs of a corpus.

    Attributes:
        numbers: (h,), ascending.
        named: (h,), whether each is a name rather than a label or a file.
        owned: (h,), whether rows, and not too many, own the name; only then do mentions count.
        df: (h,), counting rows that it joins.
        owners: (h,), counting rows that own it.
        valid: (h,), whether it joins few enough to tell something.
    """

    numbers: NDArray[np.uint64]
    named: NDArray[np.bool_]
    owned: NDArray[np.bool_]
    df: NDArray[np.int64]
    owners: NDArray[np.int64]
    valid: NDArray[np.bool_]

    def places(self, numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the place of each number, all of which are there."""
        return np.searchsorted(self.numbers, numbers)


@dataclass(frozen=True, slots=True)
class Ties:
    """Ties of rows to hubs, one each.

    Attributes:
        rows: (t,), rows of the corpus, or places in what was asked.
        hubs: (t,), places in the hubs, or numbers.
        bits: (t,), of `Tie`.
    """

    rows: NDArray[np.int64]
    hubs: NDArray[np.int64]
    bits: NDArray[np.uint8]


def described(corpus: Corpus, numbers: NDArray[np.uint64]) -> Hubs:
    """Return what holds of the hubs of these numbers, which are ascending."""
    counts = np.zeros((len(numbers), 3), np.int64)
    words = np.zeros(len(numbers), np.uint8)
    for segment, lost in zip(corpus.segments, corpus.lost_ties, strict=True):
        at = segment.hubs.locate(numbers)
        held = at >= 0
        counts[held] += segment.hub_counts[at[held]] - lost.at(at[held])
        words[held] = segment.hub_words[at[held]]
    named = words > 0
    total, owners, phrases = counts.T
    owned = named & (owners >= 1) & (owners <= RARE)
    df = np.where(owned | ~named, total, phrases)
    valid = (df >= 1) & (df <= np.where(named, RARE, _limit(corpus.n)))
    single = np.flatnonzero(valid & (words == 1))
    valid[single] = ~_common(corpus, numbers[single])
    return Hubs(numbers, named, owned & valid, df, owners, valid)


def of_rows(corpus: Corpus, rows: NDArray[np.int64], wanted: int = ANY) -> tuple[Hubs, Ties]:
    """Return the hubs that join these rows, ascending, and the ties by place in `rows`.

    `wanted` are bits of `Tie`: ties that have none of them are passed over.
    """
    whose, numbers, bits = [_NO_PLACES], [_NO_NUMBERS], [_NO_BITS]
    for number, local, part in corpus.split(rows):
        segment = corpus.segments[number]
        places, counts = segment.row_hubs.of(local)
        held = segment.ties[places]
        asked = np.flatnonzero(held & wanted)
        whose.append(np.repeat(np.arange(part.start, part.stop), counts)[asked])
        numbers.append(segment.hubs.terms[segment.row_hubs.values[places[asked]]])
        bits.append(held[asked])
    ties = np.concatenate(bits)
    different, places = np.unique(np.concatenate(numbers), return_inverse=True)
    hubs = described(corpus, different)
    kept = _counts(hubs, places, ties)
    return hubs, Ties(np.concatenate(whose)[kept], places[kept], ties[kept])


def members(corpus: Corpus, hubs: Hubs, places: NDArray[np.int64]) -> Ties:
    """Return the ties of these hubs, given by place, ascending, to all rows that count.

    They come in the order of hubs.
    """
    rows, hub, bits = [_NO_PLACES], [_NO_PLACES], [_NO_BITS]
    for segment, base in zip(corpus.segments, corpus.bases, strict=False):
        at = segment.hubs.locate(hubs.numbers[places])
        held = at >= 0
        postings, counts = spread(segment.hubs.starts, at[held])
        rows.append(base + segment.hubs.rows[postings])
        hub.append(np.repeat(places[held], counts))
        bits.append(segment.hubs.counts[postings, 0])
    found, whose, ties = np.concatenate(rows), np.concatenate(hub), np.concatenate(bits)
    kept = np.flatnonzero(corpus.ranked[found] & _counts(hubs, whose, ties))
    kept = kept[np.argsort(whose[kept], kind="stable")]
    return Ties(found[kept], whose[kept], ties[kept])


def mentioning(
    corpus: Corpus, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (place in `rows`, ascending, row that mentions a name it owns), owners left out."""
    hubs, ties = of_rows(corpus, rows, Tie.OWNER)
    own = hubs.owned[ties.hubs] & (hubs.df[ties.hubs] > 1)
    asked = np.unique(ties.hubs[own])
    told = members(corpus, hubs, asked)
    others = told.bits & Tie.OWNER == 0
    starts = np.searchsorted(told.hubs[others], np.append(asked, len(hubs.numbers)))
    owners, which = ties.rows[own], np.searchsorted(asked, ties.hubs[own])
    places, counts = spread(starts, which)
    return np.repeat(owners, counts), told.rows[others][places]


def weights(
    corpus: Corpus, hubs: Hubs, ties: Ties
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (memory -> hub, hub -> memory) for each tie.

    A hub that only one memory has keeps mass from the shared ones, but less than they do.
    """
    df = hubs.df[ties.hubs]
    out = np.log1p(corpus.n / df) * np.where(df > 1, 1.0, UNIQUE_SHARE)
    return out, np.where(_owning(hubs, ties), OWNER_WEIGHT, 1.0)


def shared(hubs: Hubs, ties: Ties) -> Ties:
    """Return ties without those of an owner to its name where nobody else mentions it."""
    kept = ~(_owning(hubs, ties) & (hubs.df[ties.hubs] == 1))
    return Ties(ties.rows[kept], ties.hubs[kept], ties.bits[kept])


def _owning(hubs: Hubs, ties: Ties) -> NDArray[np.bool_]:
    owning: NDArray[np.bool_] = hubs.owned[ties.hubs] & (ties.bits & Tie.OWNER > 0)
    return owning


def _counts(hubs: Hubs, places: NDArray[np.int64], bits: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return whether each tie counts: a mention does while somebody owns the name."""
    said = bits & (Tie.PHRASE | Tie.CARRIED) > 0
    counting: NDArray[np.bool_] = hubs.valid[places] & (said | hubs.owned[places])
    return counting


def _limit(n: int) -> float:
    """Return how many memories a label or a file may join.

    One that more than a quarter of a small project shares would let any query bring up everything.
    """
    return min(max(RARE, n / 20), max(2, n / 4))


def _common(corpus: Corpus, numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return whether each word is written small more than half as often as with a capital.

    Counted in rows. Such a word names nothing by itself, even where it begins a sentence.
    """
    written = np.zeros((len(numbers), len(Case)), np.int64)
    for segment, base, hidden in zip(
        corpus.segments, corpus.bases[:-1], corpus.hidden, strict=True
    ):
        at = segment.surfaces.locate(numbers)
        held = np.flatnonzero(at >= 0)
        if len(hidden):
            places, counts = spread(segment.surfaces.starts, at[held])
            counting = corpus.ranked[base + segment.surfaces.rows[places]]
            case = segment.surfaces.counts[places, CASE]
            whose = np.repeat(held, counts)
            for column, bit in enumerate(Case):
                told = whose[counting & (case & bit > 0)]
                written[:, column] += np.bincount(told, minlength=len(numbers))
        else:
            written[held] += segment.case_counts[at[held]]
    lower, upper = written.T
    common: NDArray[np.bool_] = lower > COMMON * upper
    return common
