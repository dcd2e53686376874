"""A segment: immutable arrays of some memories, all that ranking reads of them.

Everything in a row comes from its document alone, but for mentions, which need to know the names
of other memories; `mentions` finds them. Rows never change: a memory that changes gets a new row
in a later segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from project_memory.model import Status

DIVIDER = -1
STATUSES = tuple(Status)
SHOWN, OWN = 0, 1
"""Columns of the statuses of a row."""


class Part(IntEnum):
    """Column of a field in the counts of a posting, and in the lengths of a row."""

    TITLE = 0
    BODY = 1
    LABELS = 2


CASE = 3
"""Column of the case bits in the counts of an unstemmed posting: see `Case`."""


class Case(IntFlag):
    """How a word is written in a document."""

    LOWER = 1
    UPPER = 2


class Tie(IntFlag):
    """What joins a memory to a hub."""

    OWNER = 1
    PHRASE = 2
    MENTION = 4
    CARRIED = 8


class Trait(IntFlag):
    """What holds of a row as a whole."""

    ARCHIVED = 1
    CODE = 2


@dataclass(frozen=True, eq=False)
class Postings:
    """An inverted list.

    Attributes:
        terms: (t,), numbers of terms, ascending.
        starts: (t + 1,), where the postings of each term begin.
        rows: (p,), rows that hold the term, ascending within it.
        counts: (p, c), what is counted there.
    """

    terms: NDArray[np.uint64]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: NDArray[np.uint8]

    def locate(self, terms: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the place of each term in `terms`, or -1."""
        if not len(self.terms):
            return np.full(len(terms), -1, np.int64)
        places = np.searchsorted(self.terms, terms)
        places[places == len(self.terms)] = 0
        return np.where(self.terms[places] == terms, places, -1)

    def place(self, term: int) -> int:
        """Return the place of one term, or -1."""
        return int(self.locate(np.array([term], np.uint64))[0])

    def span(self, place: int) -> slice:
        """Return where the postings of the term at a place are."""
        return slice(int(self.starts[place]), int(self.starts[place + 1]))


NO_POSTINGS = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros((0, 1), np.uint8)
"""What stands beside terms that are only looked up: starts, rows, counts."""


@dataclass(frozen=True, eq=False)
class Lists:
    """One list of values a row, one after the other.

    Attributes:
        starts: (m + 1,), where each row's values begin.
        values: (v,), the values.
    """

    starts: NDArray[np.int64]
    values: NDArray[Any]

    def of(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return (places of all values of these rows in turn, how many each row has)."""
        return spread(self.starts, rows)


@dataclass(frozen=True, eq=False)
class Segment:
    """Rows of memories.

    Attributes:
        keys: (m,), internal keys.
        ids: (m,), numbers of the ids.
        statuses: (m, 2), places in `STATUSES`: the one shown, and its own.
        traits: (m,), bits of `Trait`.
        languages: (m,), bits of the languages of the row.
        lengths: (m, 3), content terms of each `Part`.
        stems: Stemmed terms; counts by `Part`.
        surfaces: Unstemmed terms; counts by `Part`, and `CASE`.
        sequence: Content stems of each row in order, as places in `stems.terms`.
        words: Words of each row's body in order, as places in `surfaces.terms`.
        hubs: Hubs; the one count is bits of `Tie`.
        hub_words: (h,), words of the name that a hub is; 0 for labels and files.
        hub_texts: Texts of the hubs; empty where only mentions know it.
        row_hubs: Hubs of each row, as places in `hubs.terms`, ascending.
        ties: Bits of `Tie` beside `row_hubs.values`.
        links: Places of each row's links in `targets` and `kinds`, one after the other.
        targets: Numbers of the ids that links lead to.
        kinds: Places of their kinds in the table of kinds.
    """

    keys: NDArray[np.int64]
    ids: NDArray[np.uint64]
    statuses: NDArray[np.uint8]
    traits: NDArray[np.uint8]
    languages: NDArray[np.uint32]
    lengths: NDArray[np.int32]
    stems: Postings
    surfaces: Postings
    sequence: Lists
    words: Lists
    hubs: Postings
    hub_words: NDArray[np.uint8]
    hub_texts: Lists
    row_hubs: Lists
    ties: NDArray[np.uint8]
    links: NDArray[np.int64]
    targets: NDArray[np.uint64]
    kinds: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def hub_counts(self) -> NDArray[np.int64]:
        """Return, (h, 3), how many rows are tied to each hub; own it; have it as a phrase."""
        flags = self.hubs.counts[:, 0]
        held = [np.ones(len(flags), np.bool_), flags & Tie.OWNER > 0, flags & Tie.PHRASE > 0]
        sums = [np.concatenate(([0], np.cumsum(each))) for each in held]
        starts = self.hubs.starts
        return np.stack([each[starts[1:]] - each[starts[:-1]] for each in sums], axis=1)

    @cached_property
    def impacts(self) -> dict[str, Any]:
        """Return where `impacts.impacts` keeps what it has worked out."""
        return {}

    def hub_text(self, place: int) -> str:
        """Return the text of a hub, empty where only mentions know it."""
        start, end = self.hub_texts.starts[place : place + 2]
        return self.hub_texts.values[start:end].tobytes().decode()

    @cached_property
    def case_counts(self) -> NDArray[np.int64]:
        """Return, (t, 2), how many rows have each word with a small letter; with a capital."""
        case = self.surfaces.counts[:, CASE]
        sums = [np.concatenate(([0], np.cumsum(case & bit > 0))) for bit in Case]
        starts = self.surfaces.starts
        return np.stack([each[starts[1:]] - each[starts[:-1]] for each in sums], axis=1)

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """Return, (2, 3), the sum of the lengths of each part, and how many rows have it."""
        return totals(self.lengths)

    @cached_property
    def text_lengths(self) -> NDArray[np.int64]:
        """Return, (m,), content terms of title and body."""
        lengths: NDArray[np.int64] = self.lengths[:, : Part.LABELS].sum(axis=1, dtype=np.int64)
        return lengths

    @cached_property
    def owned(self) -> NDArray[np.uint64]:
        """Return the numbers of the names that some row owns, ascending."""
        return self.hubs.terms[self.hub_counts[:, 1] > 0]

    @cached_property
    def by_id(self) -> NDArray[np.int64]:
        """Return the rows in the order of their ids' numbers."""
        return np.argsort(self.ids, kind="stable")

    @cached_property
    def sorted_ids(self) -> NDArray[np.uint64]:
        """Return the numbers of the ids, ascending."""
        return self.ids[self.by_id]


def totals(lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return, (2, 3), the sum of lengths, (m, 3), by part, and how many are not 0."""
    return np.stack((lengths.sum(axis=0, dtype=np.int64), np.count_nonzero(lengths, axis=0)))


def spread(
    starts: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (places from starts[r] to starts[r + 1] for every r in turn, how many each has)."""
    first = starts[rows]
    counts = starts[rows + 1] - first
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(first - (ends - counts), counts), counts


def joined(lists: Sequence[Lists]) -> Lists:
    """Return the rows of several lists, one after the other."""
    counts = np.concatenate([np.diff(each.starts) for each in lists])
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return Lists(starts, np.concatenate([each.values for each in lists]))
