"""All memories of a project as ranking sees them: segments, and which of their rows count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from project_memory.index import mentions, merging, relabelling
from project_memory.index.building import LANGUAGES, build, labels_of
from project_memory.index.segment import Part, Segment, Tie, Trait, spread, totals
from project_memory.model import Memory
from project_memory.ranking import bm25


@dataclass(frozen=True, slots=True)
class LostTies:
    """How many of the rows tied to some hubs of a segment do not count, as `hub_counts` has it."""

    places: NDArray[np.int64]
    counts: NDArray[np.int64]

    def at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return, (places, 3), what is lost of each hub."""
        lost = np.zeros((len(places), 3), np.int64)
        if len(self.places):
            near = np.minimum(np.searchsorted(self.places, places), len(self.places) - 1)
            hit = self.places[near] == places
            lost[hit] = self.counts[near[hit]]
        return lost


BATCH = 2000
"""Documents that are analysed at a time."""

TIER = 8
"""A segment is merged with those after it when it has at most so many times their rows."""

_FEW_DEAD, _DEAD_SHARE = 256, 4


class Corpus:
    """An immutable state of the corpus; `updated` makes the next one.

    Rows are numbered through the segments, in their order. A row counts, `ranked`, when no later
    one replaces it and its memory is not archived; all statistics are of those rows alone, and
    whole numbers, so that they do not depend on how rows are spread over segments.
    """

    def __init__(
        self, segments: Sequence[Segment] = (), live: Sequence[NDArray[np.bool_]] = ()
    ) -> None:
        self.segments = tuple(segments)
        self.live = tuple(live)
        sizes = [len(segment) for segment in segments]
        self.bases = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self.ranked = _chained(
            [
                alive & (s.traits & Trait.ARCHIVED == 0)
                for s, alive in zip(segments, live, strict=True)
            ]
        )

    @cached_property
    def worked_out(self) -> dict[str, Any]:
        """Return where `hub_table` keeps what it has worked out."""
        return {}

    def updated(
        self, changes: Mapping[int, Memory | None], relabelled: Set[int] = frozenset()
    ) -> Corpus:
        """Return the corpus after changes: key -> the memory now, or None where it is gone.

        Of those `relabelled`, by key, nothing was changed that is read but labels: their texts
        are not read again.
        """
        present = {key: memory for key, memory in changes.items() if memory is not None}
        rows = self.rows_of(np.fromiter(changes, np.int64, len(changes)))
        known = dict(zip(changes, rows.tolist(), strict=True))
        same = {key for key in present.keys() & relabelled if known[key] >= 0}
        following = self._relabelled([present[key] for key in sorted(same)]) if same else self
        others = {key: memory for key, memory in changes.items() if key not in same}
        return following._rewritten(others) if others else following

    def _relabelled(self, memories: Sequence[Memory]) -> Corpus:
        """Return the corpus with other labels in the rows of memories; each has one."""
        rows = self.rows_of(np.array([memory.key for memory in memories], np.int64))
        order = np.argsort(rows)
        live, parts = list(self.live), list(self.split(rows[order]))
        _strike(live, parts)
        texts = merging.merged([(self.segments[place], local) for place, local, _ in parts])
        labels = labels_of([memories[place] for place in order.tolist()])
        added = relabelling.relabelled(texts, labels)
        return Corpus(*_compacted([*self.segments, added], [*live, np.ones(len(added), np.bool_)]))

    def _rewritten(self, changes: Mapping[int, Memory | None]) -> Corpus:
        live = list(self.live)
        rows = self.rows_of(np.fromiter(changes, np.int64, len(changes)))
        _strike(live, self.split(np.sort(rows[rows >= 0])))
        present = [memory for memory in changes.values() if memory is not None]
        if not present:
            return Corpus(*_compacted(list(self.segments), live))
        made = [build(present[start : start + BATCH]) for start in range(0, len(present), BATCH)]
        added = made[0] if len(made) == 1 else merging.merged([(s, _all(s)) for s in made])
        return self._with(added, live)

    def __len__(self) -> int:
        return int(self.bases[-1])

    @cached_property
    def n(self) -> int:
        """Return how many rows count."""
        return int(np.count_nonzero(self.ranked))

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """Return, (rows,), the memory's key of each row."""
        return np.concatenate([s.keys for s in self.segments]) if self.segments else _none()

    @cached_property
    def ids(self) -> NDArray[np.uint64]:
        """Return, (rows,), the number of each row's id."""
        return (
            np.concatenate([s.ids for s in self.segments]) if self.segments else _none(np.uint64)
        )

    @cached_property
    def statuses(self) -> NDArray[np.uint8]:
        """Return, (rows, 2), the statuses of each row; see `Segment`."""
        held = [segment.statuses for segment in self.segments]
        return np.concatenate(held) if held else _none(np.uint8).reshape(0, 2)

    @cached_property
    def hidden(self) -> list[NDArray[np.int64]]:
        """Return, for each segment, its rows that do not count."""
        return [np.flatnonzero(~self.ranked[a:b]) for a, b in self._bounds()]

    @cached_property
    def lost_ties(self) -> list[LostTies]:
        """Return what rows that do not count take from the hubs of each segment."""
        return [_lost(s, hidden) for s, hidden in zip(self.segments, self.hidden, strict=True)]

    @cached_property
    def averages(self) -> tuple[float, float, float]:
        """Return the average length of each part over the rows that have it.

        Rounded to three significant digits, so that it moves rarely.
        """
        sums = np.zeros((2, len(Part)), np.int64)
        for segment, hidden in zip(self.segments, self.hidden, strict=True):
            sums += segment.totals - totals(segment.lengths[hidden])
        title, body, labels = (bm25.average(int(total), int(count)) for total, count in sums.T)
        return title, body, labels

    @cached_property
    def average_length(self) -> float:
        """Return the average length of a whole row, rounded like `averages`."""
        total = sum(int(s.totals[0].sum()) - int(s.lengths[h].sum())
                    for s, h in zip(self.segments, self.hidden, strict=True))  # fmt: skip
        return bm25.average(total, self.n)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Return the languages beside English that rows which count are in."""
        bits = 0
        for segment, hidden in zip(self.segments, self.hidden, strict=True):
            held = np.delete(segment.languages, hidden)
            bits |= int(np.bitwise_or.reduce(held)) if len(held) else 0
        return tuple(name for place, name in enumerate(LANGUAGES) if bits >> place & 1)

    def rows_of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of each memory key, or -1."""
        fits = (keys >= 0) & (keys < len(self._row_of_key))
        rows = np.full(len(keys), -1, np.int64)
        rows[fits] = self._row_of_key[keys[fits]]
        return rows

    def among(self, candidates: BitMap) -> NDArray[np.bool_]:
        """Return, (rows,), whether a row counts and its memory is in a set of keys."""
        found = np.zeros(len(self), np.bool_)
        rows = self.rows_of(np.array(candidates.to_array(), np.int64))
        found[rows[rows >= 0]] = True
        return found & self.ranked

    def rows_with_ids(self, ids: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the counting row of each number of an id, or -1."""
        rows = np.full(len(ids), -1, np.int64)
        for segment, base in zip(self.segments, self.bases, strict=False):
            places = np.minimum(np.searchsorted(segment.sorted_ids, ids), len(segment) - 1)
            found = base + segment.by_id[places]
            hit = (segment.sorted_ids[places] == ids) & self.ranked[found]
            rows[hit] = found[hit]
        return rows

    def split(self, rows: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64], slice]]:
        """Yield (segment, its numbers of the rows, where they are in `rows`); rows ascend."""
        ends = np.searchsorted(rows, self.bases)
        for place, base in enumerate(self.bases[:-1]):
            if ends[place] < ends[place + 1]:
                part = slice(int(ends[place]), int(ends[place + 1]))
                yield place, rows[part] - base, part

    def lengths(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return, (rows, 3), the lengths of the parts of rows, ascending."""
        found = np.zeros((len(rows), len(Part)), np.int64)
        for place, local, part in self.split(rows):
            found[part] = self.segments[place].lengths[local]
        return found

    def lengths_at(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return, (r,), the sum over each line of (r, k) rows, -1 for none, of title and body."""
        sums: NDArray[np.int64] = np.where(rows >= 0, self._text_lengths[rows], 0).sum(axis=1)
        return sums

    def links(
        self, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint8]]:
        """Return (place in `rows`, number of the target's id, kind) of links; rows ascend."""
        owners, targets, kinds = [_none()], [_none(np.uint64)], [_none(np.uint8)]
        for place, local, part in self.split(rows):
            segment = self.segments[place]
            at, counts = spread(segment.links, local)
            owners.append(np.repeat(np.arange(part.start, part.stop), counts))
            targets.append(segment.targets[at])
            kinds.append(segment.kinds[at])
        return np.concatenate(owners), np.concatenate(targets), np.concatenate(kinds)

    def hub_text(self, number: int) -> str:
        """Return the text of a hub; empty where nothing live holds it."""
        texts = ((s, s.hubs.place(number)) for s in self.segments)
        found = (segment.hub_text(place) for segment, place in texts if place >= 0)
        return next((text for text in found if text), "")

    @cached_property
    def _text_lengths(self) -> NDArray[np.int64]:
        held = [segment.text_lengths for segment in self.segments]
        return np.concatenate(held) if held else _none()

    @cached_property
    def _row_of_key(self) -> NDArray[np.int64]:
        rows = np.full(int(self.keys.max(initial=-1)) + 1, -1, np.int64)
        live = np.flatnonzero(_chained(self.live))
        rows[self.keys[live]] = live
        return rows

    def _bounds(self) -> Iterator[tuple[int, int]]:
        yield from zip(self.bases[:-1].tolist(), self.bases[1:].tolist(), strict=True)

    def _with(self, added: Segment, live: list[NDArray[np.bool_]]) -> Corpus:
        """Return the corpus with new rows, and with new rows for those that mention their names.

        A name is looked for in the texts that are there when it comes up first; from then on,
        every new text is looked through for it.
        """
        known = [segment.owned for segment in self.segments]
        pieces = [(added, _all(added))]
        found = [mentions.in_texts(added, [*known, added.owned])]
        base = len(added)
        for place, segment in enumerate(self.segments):
            told = mentions.of_new_names(segment, live[place], mentions.new_names(added, known))
            if len(told.rows):
                rows, moved = np.unique(told.rows, return_inverse=True)
                pieces.append((segment, rows))
                found.append(mentions.Mentions(base + moved, told.names, told.words))
                live[place] = live[place].copy()
                live[place][rows] = False
                base += len(rows)
        whole = pieces[0][0] if len(pieces) == 1 else merging.merged(pieces)
        whole = merging.with_mentions(whole, mentions.chained(found))
        return Corpus(*_compacted([*self.segments, whole], [*live, np.ones(len(whole), np.bool_)]))


def _compacted(
    segments: list[Segment], live: list[NDArray[np.bool_]]
) -> tuple[list[Segment], list[NDArray[np.bool_]]]:
    """Return segments merged from the first that is small beside those after it, or half dead.

    Each segment then has more than `TIER` times the rows of all later ones together, so that
    there are few, and a row is copied a number of times that grows with the logarithm.
    """
    sizes = [int(np.count_nonzero(alive)) for alive in live]
    start = len(segments) - 1
    for place in range(len(segments) - 2, -1, -1):
        dead = len(segments[place]) - sizes[place]
        small = sizes[place] <= TIER * sum(sizes[place + 1 :])
        if small or dead > max(_FEW_DEAD, len(segments[place]) // _DEAD_SHARE):
            start = place
    if start == len(segments) - 1 and (not segments or sizes[start] == len(segments[start])):
        return segments, live
    pieces = [(s, np.flatnonzero(a)) for s, a in zip(segments[start:], live[start:], strict=True)]
    whole = merging.merged(pieces)
    if not len(whole):
        return segments[:start], live[:start]
    return [*segments[:start], whole], [*live[:start], np.ones(len(whole), np.bool_)]


def _lost(segment: Segment, hidden: NDArray[np.int64]) -> LostTies:
    at, _ = segment.row_hubs.of(hidden)
    places, which = np.unique(segment.row_hubs.values[at], return_inverse=True)
    bits = segment.ties[at]
    columns = [np.ones(len(bits), np.bool_), bits & Tie.OWNER > 0, bits & Tie.PHRASE > 0]
    counts = [np.bincount(which[held], minlength=len(places)) for held in columns]
    return LostTies(places.astype(np.int64), np.stack(counts, axis=1))


def _strike(
    live: list[NDArray[np.bool_]], parts: Iterable[tuple[int, NDArray[np.int64], slice]]
) -> None:
    for place, rows, _ in parts:
        live[place] = live[place].copy()
        live[place][rows] = False


def _all(segment: Segment) -> NDArray[np.int64]:
    return np.arange(len(segment))


def _chained(parts: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    return np.concatenate(parts) if parts else np.zeros(0, np.bool_)


def _none(kind: type = np.int64) -> NDArray[Any]:
    return np.zeros(0, kind)
