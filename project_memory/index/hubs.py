"""What joins memories besides links: labels, files, phrases, and names that texts mention.

Whether a hub counts, and how much, is decided when it is asked, from how many rows are tied to it
then; see `HubTable`. Hubs are given by their places there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from project_memory.index.corpus import Corpus
from project_memory.index.hub_table import HubTable, hub_table
from project_memory.index.segment import Tie, spread

OWNER_WEIGHT = 100.0
UNIQUE_SHARE = 0.25
ANY = Tie.OWNER | Tie.PHRASE | Tie.MENTION | Tie.CARRIED

_NO_PLACES = np.zeros(0, np.int64)
_NO_BITS = np.zeros(0, np.uint8)


@dataclass(frozen=True, slots=True)
class Ties:
    """Ties of rows to hubs, one each.

    Attributes:
        rows: (t,), rows of the corpus, or places in what was asked.
        hubs: (t,), hubs.
        bits: (t,), of `Tie`.
    """

    rows: NDArray[np.int64]
    hubs: NDArray[np.int64]
    bits: NDArray[np.uint8]

    def __getitem__(self, kept: NDArray[np.bool_] | NDArray[np.int64]) -> Ties:
        """Return some of the ties."""
        return Ties(self.rows[kept], self.hubs[kept], self.bits[kept])


def of_rows(corpus: Corpus, rows: NDArray[np.int64], wanted: int = ANY) -> Ties:
    """Return the ties that count of these rows, ascending, by place in `rows`.

    Those of a row come in the order of their hubs' numbers. `wanted` are bits of `Tie`: ties that
    have none of them are passed over.
    """
    table = hub_table(corpus)
    whose, hubs, bits = [_NO_PLACES], [_NO_PLACES], [_NO_BITS]
    for number, local, part in corpus.split(rows):
        segment = corpus.segments[number]
        places, counts = segment.row_hubs.of(local)
        held = segment.ties[places]
        owners = np.repeat(np.arange(part.start, part.stop), counts)
        if wanted != ANY:
            asked = np.flatnonzero(held & wanted)
            places, held, owners = places[asked], held[asked], owners[asked]
        whose.append(owners)
        hubs.append(table.places[number][segment.row_hubs.values[places]])
        bits.append(held)
    ties = Ties(np.concatenate(whose), np.concatenate(hubs), np.concatenate(bits))
    table.work_out(ties.hubs)
    return ties[_counts(table, ties)]


def members(corpus: Corpus, hubs: NDArray[np.int64]) -> tuple[Ties, NDArray[np.int64]]:
    """Return the ties of these hubs to all rows that count, and which of these hubs each is of.

    They come in the order of the hubs, of which it must be worked out what holds of them.
    """
    table = hub_table(corpus)
    numbers = table.numbers[hubs]
    rows, which, bits = [_NO_PLACES], [_NO_PLACES], [_NO_BITS]
    for segment, base in zip(corpus.segments, corpus.bases.tolist(), strict=False):
        at = segment.hubs.locate(numbers)
        held = np.flatnonzero(at >= 0)
        postings, counts = spread(segment.hubs.starts, at[held])
        rows.append(segment.hubs.rows[postings] + np.int64(base))
        which.append(np.repeat(held, counts))
        bits.append(segment.hubs.counts[postings, 0])
    places = np.concatenate(which)
    ties = Ties(np.concatenate(rows), hubs[places], np.concatenate(bits))
    kept = np.flatnonzero(corpus.ranked[ties.rows] & _counts(table, ties))
    if len(corpus.segments) > 1:
        kept = kept[np.argsort(places[kept], kind="stable")]
    return ties[kept], places[kept]


def mentioning(
    corpus: Corpus, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (place in `rows`, ascending, row that mentions a name it owns), owners left out."""
    table = hub_table(corpus)
    ties = of_rows(corpus, rows, Tie.OWNER)
    ties = ties[table.owned[ties.hubs] & (table.df[ties.hubs] > 1)]
    if not len(ties.rows):
        return _NO_PLACES, _NO_PLACES
    asked, which = np.unique(ties.hubs, return_inverse=True)
    told, whose = members(corpus, asked)
    others = np.flatnonzero(told.bits & Tie.OWNER == 0)
    told, whose = told[others], whose[others]
    starts = np.searchsorted(whose, np.arange(len(asked) + 1))
    places, counts = spread(starts, which)
    return np.repeat(ties.rows, counts), told.rows[places]


def weights(corpus: Corpus, ties: Ties) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (memory -> hub, hub -> memory) for each tie.

    A hub that only one memory has keeps mass from the shared ones, but less than they do.
    """
    table = hub_table(corpus)
    df = table.df[ties.hubs]
    out = np.log1p(corpus.n / df) * np.where(df > 1, 1.0, UNIQUE_SHARE)
    return out, np.where(_owning(table, ties), OWNER_WEIGHT, 1.0)


def shared(corpus: Corpus, ties: Ties) -> Ties:
    """Return ties without those of an owner to its name where nobody else mentions it."""
    table = hub_table(corpus)
    return ties[~(_owning(table, ties) & (table.df[ties.hubs] == 1))]


def by_number(
    corpus: Corpus, hubs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (the different ones of some hubs by their numbers, where each is among them)."""
    found, places = np.unique(hubs, return_inverse=True)
    order = np.argsort(hub_table(corpus).numbers[found])
    rank = np.empty(len(found), np.int64)
    rank[order] = np.arange(len(found))
    return found[order], rank[places]


def _owning(table: HubTable, ties: Ties) -> NDArray[np.bool_]:
    owning: NDArray[np.bool_] = table.owned[ties.hubs] & (ties.bits & Tie.OWNER > 0)
    return owning


def _counts(table: HubTable, ties: Ties) -> NDArray[np.bool_]:
    """Return whether each tie counts: a mention does while somebody owns the name."""
    said = ties.bits & (Tie.PHRASE | Tie.CARRIED) > 0
    counting: NDArray[np.bool_] = table.valid[ties.hubs] & (said | table.owned[ties.hubs])
    return counting
