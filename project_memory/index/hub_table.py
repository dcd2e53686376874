"""What holds of each hub of a corpus: how many rows it joins, who owns it, whether it counts.

Worked out for the hubs that are asked for, when they are asked for first; a corpus never changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from project_memory.index.corpus import Corpus
from project_memory.index.distinct import distinct
from project_memory.index.segment import CASE, NO_POSTINGS, Case, Postings, spread

RARE = 30
"""Rows that a name may join, and that may own it."""

MOST = 1000
"""Rows that a label or a file may join, in the largest project."""

COMMON = 0.5
"""A word is common when so many rows for each that has it with a capital have it without."""


class HubTable:
    """The hubs of a corpus, each with a place; safe to share between threads.

    The hubs of the first segment, which is far larger than the others, have their places there.

    Attributes:
        numbers: (h,), the number of each hub.
        places: For each segment, the place here of each of its hubs.
        named: (h,), whether each is a name rather than a label or a file.
        owned: (h,), whether rows, and not too many, own the name; only then do mentions count.
        df: (h,), counting rows that it joins.
        owners: (h,), counting rows that own it.
        valid: (h,), whether it joins few enough to tell something.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.numbers, self.places = _numbered([s.hubs.terms for s in corpus.segments])
        size = len(self.numbers)
        self.named, self.owned, self.valid = (np.zeros(size, np.bool_) for _ in range(3))
        self.df, self.owners = (np.zeros(size, np.int64) for _ in range(2))
        self._known = np.zeros(size, np.bool_)

    def find(self, numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the place of each number, or -1, and work out what holds of them."""
        found = np.full(len(numbers), -1, np.int64)
        for segment, places in zip(self._corpus.segments, self.places, strict=True):
            at = segment.hubs.locate(numbers)
            found[at >= 0] = places[at[at >= 0]]
        self.work_out(found[found >= 0])
        return found

    def work_out(self, hubs: NDArray[np.int64]) -> None:
        """Work out what holds of hubs, as far as that is not known; one may come twice."""
        unknown = distinct(hubs[~self._known[hubs]])
        if not len(unknown):
            return
        corpus, numbers = self._corpus, self.numbers[unknown]
        counts = np.zeros((len(unknown), 3), np.int64)
        words = np.zeros(len(unknown), np.uint8)
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
        self.named[unknown], self.owned[unknown] = named, owned & valid
        self.df[unknown], self.owners[unknown], self.valid[unknown] = df, owners, valid
        self._known[unknown] = True  # last: another thread may ask meanwhile


def hub_table(corpus: Corpus) -> HubTable:
    """Return the table of a corpus, made when it is asked for first."""
    held = corpus.worked_out.get("hubs")
    if held is None:
        held = corpus.worked_out["hubs"] = HubTable(corpus)
    return held


def _numbered(
    held: list[NDArray[np.uint64]],
) -> tuple[NDArray[np.uint64], list[NDArray[np.int64]]]:
    """Return (the different numbers, where those of each list are among them); lists ascend."""
    if not held:
        return np.zeros(0, np.uint64), []
    first, *later = held
    known = Postings(first, *NO_POSTINGS)
    at = [known.locate(each) for each in later]
    new = [each[where < 0] for each, where in zip(later, at, strict=True)]
    more = distinct(np.concatenate([first[:0], *new]))
    places = [np.arange(len(first))]
    for each, where in zip(later, at, strict=True):
        places.append(np.where(where < 0, len(first) + np.searchsorted(more, each), where))
    return (np.concatenate((first, more)) if len(more) else first), places


def _limit(n: int) -> float:
    """Return how many memories a label or a file may join.

    One that more than a quarter of a small project shares would let any query bring up everything.
    """
    return min(max(RARE, n / 20), max(2, n / 4), MOST)


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
