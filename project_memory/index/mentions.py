"""Find where the texts of memories mention the names of others, word for word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from project_memory.index.distinct import distinct
from project_memory.index.segment import DIVIDER, Part, Segment, Trait
from project_memory.ranking import hashing
from project_memory.ranking.names import MAX_WORDS

_FILTER_BITS = 20
_NO_ROWS = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Mentions:
    """Which rows mention which names; see `merging.with_mentions`."""

    rows: NDArray[np.int64]
    names: NDArray[np.uint64]
    words: NDArray[np.uint8]


def in_texts(segment: Segment, known: Sequence[NDArray[np.uint64]]) -> Mentions:
    """Return where rows of a segment mention names of known numbers, each ascending."""
    words = _words(segment)
    owners = np.repeat(np.arange(len(segment)), np.diff(segment.words.starts))
    prose = segment.traits[owners] & Trait.CODE == 0
    likely = _filter(known)
    found: list[tuple[NDArray[np.int64], NDArray[np.uint64], int]] = []
    for length, numbers in enumerate(hashing.run_numbers(words, MAX_WORDS), 1):
        # a run over the end of a sentence has a divider's number in it, so that it is no name
        places = np.flatnonzero(likely[_slot(numbers)] & prose[: len(numbers)])
        real = places[_among(numbers[places], known)]
        found.append((owners[real], numbers[real], length))
    return Mentions(
        np.concatenate([rows for rows, _, _ in found]),
        np.concatenate([numbers for _, numbers, _ in found]),
        np.repeat(np.array([n for *_, n in found], np.uint8), [len(r) for r, *_ in found]),
    )


def new_names(added: Segment, known: Sequence[NDArray[np.uint64]]) -> list[list[str]]:
    """Return the words of the names that rows of a segment own and that nobody owned before."""
    places = np.flatnonzero(added.hub_counts[:, 1] > 0)
    fresh = places[~_among(added.hubs.terms[places], known)]
    return [added.hub_text(int(place)).split(" ")[1:] for place in fresh]


def of_new_names(
    segment: Segment, live: NDArray[np.bool_], names: Sequence[Sequence[str]]
) -> Mentions:
    """Return where live rows of a segment mention names, given as words."""
    found = [(words, _live(of_name(segment, words), live)) for words in names]
    return Mentions(
        np.concatenate([_NO_ROWS, *(rows for _, rows in found)]),
        np.repeat(np.array([hashing.run_number(words) for words, _ in found], np.uint64),
                  [len(rows) for _, rows in found]),
        np.repeat(np.array([len(words) for words, _ in found], np.uint8),
                  [len(rows) for _, rows in found]),
    )  # fmt: skip


def chained(parts: Sequence[Mentions]) -> Mentions:
    """Return several findings as one."""
    return Mentions(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.names for part in parts]),
        np.concatenate([part.words for part in parts]),
    )


def of_name(segment: Segment, words: Sequence[str]) -> NDArray[np.int64]:
    """Return the rows of a segment whose text mentions a name of these words, ascending."""
    places = segment.surfaces.locate(hashing.numbers(words))
    if (places < 0).any():
        return np.zeros(0, np.int64)
    rows = _holding_all(segment, distinct(places))
    rows = rows[segment.traits[rows] & Trait.CODE == 0]
    if len(words) == 1 or not len(rows):
        return np.asarray(rows, np.int64)
    at, counts = segment.words.of(rows)
    sequence, owners = segment.words.values[at], np.repeat(rows, counts)
    hit = np.ones(max(0, len(sequence) - len(words) + 1), np.bool_)
    for step, place in enumerate(places):
        hit &= sequence[step : step + len(hit)] == place
    return distinct(owners[: len(hit)][hit])


def _holding_all(segment: Segment, places: NDArray[np.int64]) -> NDArray[np.int64]:
    surfaces = segment.surfaces
    spans = sorted(
        (surfaces.span(int(p)) for p in places), key=lambda span: span.stop - span.start
    )
    found: NDArray[Any] = np.arange(len(segment))
    for span in spans:
        rows = surfaces.rows[span][surfaces.counts[span, Part.BODY] > 0]
        found = rows if len(found) == len(segment) else np.intersect1d(found, rows)
        if not len(found):
            break
    return found.astype(np.int64)


def _live(rows: NDArray[np.int64], live: NDArray[np.bool_]) -> NDArray[np.int64]:
    kept: NDArray[np.int64] = rows[live[rows]]
    return kept


def _words(segment: Segment) -> NDArray[np.uint64]:
    terms = np.append(segment.surfaces.terms, np.uint64(hashing.number("\0")))
    assert DIVIDER == -1  # the last place
    words: NDArray[np.uint64] = terms[segment.words.values]
    return words


def _slot(numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
    slots: NDArray[np.int64] = (numbers >> np.uint64(64 - _FILTER_BITS)).astype(np.int64)
    return slots


def _filter(known: Sequence[NDArray[np.uint64]]) -> NDArray[np.bool_]:
    """Return for each slot whether a known number falls into it: most runs are no name."""
    slots = np.zeros(1 << _FILTER_BITS, np.bool_)
    for numbers in known:
        slots[_slot(numbers)] = True
    return slots


def _among(numbers: NDArray[np.uint64], known: Sequence[NDArray[np.uint64]]) -> NDArray[np.bool_]:
    found = np.zeros(len(numbers), np.bool_)
    for held in known:
        if len(held):
            places = np.minimum(np.searchsorted(held, numbers), len(held) - 1)
            found |= held[places] == numbers
    return found
