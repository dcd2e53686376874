"""What stands around a memory: the memories that it is linked with, and those that mention it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from project_memory.index import hubs
from project_memory.index.corpus import Corpus
from project_memory.index.segment import spread

MOST = 8
"""Texts around one memory."""

_FEW_LINKS = 2
_WHOLE = "what stands around"


def around(corpus: Corpus, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, (rows, MOST), the rows around each row, -1 where there are no more.

    Linked ones come first, in the order of their ids' numbers; in a chain, where links are few,
    those two links away as well; then those that mention a name which the row owns.
    """
    whole: NDArray[np.int64] | None = corpus.worked_out.get(_WHOLE)
    return _around(corpus, rows) if whole is None else whole[rows]


def work_out(corpus: Corpus) -> None:
    """Work out once what is around every row, for many questions that each ask it of some."""
    if _WHOLE not in corpus.worked_out:
        corpus.worked_out[_WHOLE] = _around(corpus, np.arange(len(corpus)))


def _around(corpus: Corpus, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    owners, linked = neighbours(corpus, rows)
    chained = np.bincount(owners, minlength=len(rows))[owners] <= _FEW_LINKS
    chain_owners, further = _further(corpus, owners[chained], linked[chained])
    mention_owners, mentioning = hubs.mentioning(corpus, rows)
    whose = np.concatenate((owners, chain_owners, mention_owners))
    which = np.concatenate((linked, further, mentioning))
    rank = np.repeat([0, 0, 1], [len(owners), len(chain_owners), len(mention_owners)])
    return _table(corpus, rows, whose, which, rank)


def _further(
    corpus: Corpus, owners: NDArray[np.int64], steps: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (owner, row one link on) for every step that has few links itself."""
    different, places = np.unique(steps, return_inverse=True)
    via, beyond = neighbours(corpus, different)
    counts = np.bincount(via, minlength=len(different))
    starts = np.concatenate(([0], np.cumsum(counts)))
    few = counts[places] <= _FEW_LINKS
    at, each = spread(starts, places[few])
    return np.repeat(owners[few], each), beyond[at]


def neighbours(
    corpus: Corpus, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (place in `rows`, ascending, row that it is linked with) for every link."""
    owners, targets, _ = corpus.links(rows)
    found = corpus.rows_with_ids(targets)
    return owners[found >= 0], found[found >= 0]


def _table(
    corpus: Corpus,
    rows: NDArray[np.int64],
    whose: NDArray[np.int64],
    which: NDArray[np.int64],
    rank: NDArray[np.int64],
) -> NDArray[np.int64]:
    other = which != rows[whose]
    whose, which, rank = whose[other], which[other], rank[other]
    order = np.lexsort((rank, corpus.ids[which], whose))
    whose, which, rank = whose[order], which[order], rank[order]
    new = np.ones(len(whose), np.bool_)
    new[1:] = (whose[1:] != whose[:-1]) | (which[1:] != which[:-1])
    whose, which, rank = whose[new], which[new], rank[new]
    order = np.lexsort((corpus.ids[which], rank, whose))
    whose, which = whose[order], which[order]
    counts = np.bincount(whose, minlength=len(rows))
    slots = np.arange(len(whose)) - np.repeat(np.cumsum(counts) - counts, counts)
    table = np.full((len(rows), MOST), -1, np.int64)
    kept = slots < MOST
    table[whose[kept], slots[kept]] = which[kept]
    return table
