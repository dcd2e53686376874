"""What rows say of a few terms: their sequences of stems, read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from project_memory.index.corpus import Corpus
from project_memory.index.segment import DIVIDER, Part, Segment

_OTHER = -2
"""Stands for every term that was not asked for."""


@dataclass(frozen=True, eq=False)
class Said:
    """Where some rows say some terms: one entry each time, in the order of rows and their words.

    Attributes:
        shape: Number of terms, number of rows.
        places: (s,), places among the words of all the rows, one row's after the other's.
        terms: (s,), places in the terms that were asked for.
        rows: (s,), places in the rows that were read.
        parts: (s,), the `Part` of each.
    """

    shape: tuple[int, int]
    places: NDArray[np.int64]
    terms: NDArray[np.int64]
    rows: NDArray[np.int64]
    parts: NDArray[np.int64]

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Return, (3, terms, rows), how often each row says each term in each part."""
        terms, rows = self.shape
        cells = (self.parts * terms + self.terms) * rows + self.rows
        counted: NDArray[np.int64] = np.bincount(cells, minlength=len(Part) * terms * rows)
        return counted.reshape(len(Part), terms, rows)


def read(corpus: Corpus, numbers: NDArray[np.uint64], rows: NDArray[np.int64]) -> Said:
    """Return what rows, ascending, say of terms, given by number.

    Content terms alone are there to be read: neither stop words nor single characters.
    """
    none = np.zeros(0, np.int64)
    found, before = [(none, none, none, none)], 0
    for place, local, part in corpus.split(rows):
        places, terms, owners, parts, length = _read(corpus.segments[place], numbers, local)
        found.append((before + places, terms, part.start + owners, parts))
        before += length
    return Said((len(numbers), len(rows)), *map(np.concatenate, zip(*found, strict=True)))


def _read(
    segment: Segment, numbers: NDArray[np.uint64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]:
    """Return (places, terms, rows, parts, words in all) of what rows of a segment say."""
    told = np.full(len(segment.stems.terms) + 1, _OTHER, np.int16)
    at = segment.stems.locate(numbers)
    told[at[at >= 0]] = np.flatnonzero(at >= 0)
    told[DIVIDER] = DIVIDER
    words, counts = segment.sequence.of(rows)
    said = told[segment.sequence.values[words]]
    places = np.flatnonzero(said >= 0)
    ends = np.cumsum(counts)
    owners = np.searchsorted(ends, places, side="right")
    # a row has a divider after each part, so that those before a place tell its part
    dividers = np.flatnonzero(said == DIVIDER)
    parts = np.searchsorted(dividers, places) - len(Part) * owners
    return places, said[places].astype(np.int64), owners, parts, len(said)
