"""Which words a collection knows, and which of them are too common to be meant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from project_memory.index.corpus import Corpus
from project_memory.index.direct import FEW, RARE_SHARE


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words of a collection by number, and the rows that hold them.

    Rows that do not count any more may be among them.

    Attributes:
        languages: The languages beside English that its texts are in.
        known: (k,), ascending, its stems.
        starts: (k + 1,), where the rows of each stem begin.
        rows: (p,), rows.
        common: (c,), ascending, stems that are certainly no rare ones. See `direct.matched`.
    """

    languages: tuple[str, ...]
    known: NDArray[np.uint64]
    starts: NDArray[np.uint32]
    rows: NDArray[np.uint32]
    common: NDArray[np.uint64]


def words(corpus: Corpus) -> Words:
    """Return the words of a corpus."""
    terms, counts, least = [np.zeros(0, np.uint64)], [_none()], [_none()]
    rows = [np.zeros(0, np.uint32)]
    for segment, hidden, base in zip(corpus.segments, corpus.hidden, corpus.bases, strict=False):
        terms.append(segment.stems.terms)
        counts.append(np.diff(segment.stems.starts))
        least.append(np.maximum(counts[-1] - len(hidden), 0))
        rows.append((segment.stems.rows + base).astype(np.uint32))
    known, places = np.unique(np.concatenate(terms), return_inverse=True)
    held = np.repeat(places, np.concatenate(counts))
    starts = np.concatenate(([0], np.cumsum(np.bincount(held, minlength=len(known)))))
    certain = np.bincount(places, np.concatenate(least), len(known))
    return Words(
        corpus.languages,
        known,
        starts.astype(np.uint32),
        np.concatenate(rows)[np.argsort(held, kind="stable")],
        known[certain > max(FEW, RARE_SHARE * corpus.n)],
    )


def _none() -> NDArray[np.int64]:
    return np.zeros(0, np.int64)
