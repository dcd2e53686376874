"""Which words a collection knows, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from project_memory.index.corpus import Corpus


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words of a collection by number, and the rows that hold them.

    Rows that do not count any more may be among them.

    Attributes:
        languages: The languages beside English that its texts are in.
        count: How many rows there are.
        known: (k,), ascending, its stems.
        starts: (k + 1,), where the rows of each stem begin.
        rows: (p,), rows.
    """

    languages: tuple[str, ...]
    count: int
    known: NDArray[np.uint64]
    starts: NDArray[np.uint32]
    rows: NDArray[np.uint32]


def words(corpus: Corpus) -> Words:
    """Return the words of a corpus."""
    terms, counts = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    rows = [np.zeros(0, np.uint32)]
    for segment, base in zip(corpus.segments, corpus.bases, strict=False):
        terms.append(segment.stems.terms)
        counts.append(np.diff(segment.stems.starts))
        rows.append((segment.stems.rows + base).astype(np.uint32))
    known, places = np.unique(np.concatenate(terms), return_inverse=True)
    held = np.repeat(places, np.concatenate(counts))
    starts = np.concatenate(([0], np.cumsum(np.bincount(held, minlength=len(known)))))
    return Words(
        corpus.languages,
        len(corpus),
        known,
        starts.astype(np.uint32),
        np.concatenate(rows)[np.argsort(held, kind="stable")],
    )
