"""Make one segment of rows of several, and tell rows of names that they mention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from project_memory.index.building import tied
from project_memory.index.mentions import Mentions
from project_memory.index.segment import (
    DIVIDER,
    NO_POSTINGS,
    Lists,
    Postings,
    Segment,
    Tie,
    spread,
)

Rows: TypeAlias = NDArray[np.int64]
Piece: TypeAlias = tuple[Segment, Rows]
"""A segment and which of its rows, ascending."""

_OF_ROW = ("keys", "ids", "statuses", "traits", "languages", "lengths")


def merged(pieces: Sequence[Piece]) -> Segment:
    """Return a segment of these rows, in the order of the pieces."""
    moves = _moves(pieces)
    stems, stem_places = _channel([segment.stems for segment, _ in pieces], moves)
    surfaces, word_places = _channel([segment.surfaces for segment, _ in pieces], moves)
    links = _taken((Lists(s.links, s.targets), rows) for s, rows in pieces)
    kinds = _taken((Lists(s.links, s.kinds), rows) for s, rows in pieces)
    of_row: dict[str, Any] = {
        name: np.concatenate([getattr(segment, name)[rows] for segment, rows in pieces])
        for name in _OF_ROW
    }
    return Segment(
        **of_row,
        stems=stems,
        surfaces=surfaces,
        sequence=_taken(
            (_renumbered(segment.sequence, places), rows)
            for (segment, rows), places in zip(pieces, stem_places, strict=True)
        ),
        words=_taken(
            (_renumbered(segment.words, places), rows)
            for (segment, rows), places in zip(pieces, word_places, strict=True)
        ),
        links=links.starts,
        targets=links.values,
        kinds=kinds.values,
        **_hubs(pieces),
    )


def with_mentions(segment: Segment, found: Mentions) -> Segment:
    """Return a segment whose rows mention names as well."""
    rows, names, words = found.rows, found.names, found.words
    if not len(rows):
        return segment
    terms, first = np.unique(np.concatenate((segment.hubs.terms, names)), return_index=True)
    hub_words = np.concatenate((segment.hub_words, words))[first]
    moved = np.searchsorted(terms, segment.hubs.terms)
    held_rows = np.repeat(np.arange(len(segment)), np.diff(segment.row_hubs.starts))
    all_rows = np.concatenate((held_rows, rows))
    all_hubs = np.concatenate((moved[segment.row_hubs.values], np.searchsorted(terms, names)))
    ties = np.concatenate((segment.ties, np.full(len(rows), Tie.MENTION, np.uint8)))
    return replace(
        segment,
        hub_words=hub_words,
        hub_texts=hub_texts(len(terms), [(segment.hub_texts, moved)]),
        **tied(terms, *once(all_rows, all_hubs, ties, len(terms)), len(segment)),
    )


def _moves(pieces: Sequence[Piece]) -> list[NDArray[np.int32]]:
    """Return, for each piece, the new row of each old one; -1 for those left out."""
    found, base = [], 0
    for segment, rows in pieces:
        moves = np.full(len(segment), -1, np.int32)
        moves[rows] = np.arange(base, base + len(rows))
        found.append(moves)
        base += len(rows)
    return found


def _channel(
    parts: Sequence[Postings], moves: Sequence[NDArray[np.int32]]
) -> tuple[Postings, list[NDArray[np.int64]]]:
    """Return postings of the new rows, and for each part the new place of each of its terms."""
    rows = [move[each.rows] for each, move in zip(parts, moves, strict=True)]
    kept = [each >= 0 for each in rows]
    terms = np.concatenate(
        [np.repeat(p.terms, np.diff(p.starts))[k] for p, k in zip(parts, kept, strict=True)]
    )
    # every part is in order, which a stable sort makes use of; later parts have later rows
    order = np.argsort(terms, kind="stable")
    ordered = terms[order]
    new = np.ones(len(ordered), np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    first = np.flatnonzero(new)
    made = Postings(
        terms=ordered[first],
        starts=np.append(first, len(ordered)).astype(np.int64),
        rows=np.concatenate([r[k] for r, k in zip(rows, kept, strict=True)])[order],
        counts=np.concatenate([p.counts[k] for p, k in zip(parts, kept, strict=True)])[order],
    )
    return made, [made.locate(each.terms) for each in parts]


def _renumbered(lists: Lists, places: NDArray[np.int64]) -> Lists:
    with_end = np.append(places, DIVIDER).astype(np.int32)
    return Lists(lists.starts, with_end[lists.values])


def _taken(parts: Iterable[tuple[Lists, Rows]]) -> Lists:
    values, counts = [], []
    for lists, rows in parts:
        places, held = spread(lists.starts, rows)
        values.append(lists.values[places])
        counts.append(held)
    starts = np.concatenate(([0], np.cumsum(np.concatenate(counts)))).astype(np.int64)
    return Lists(starts, np.concatenate(values))


def _hubs(pieces: Sequence[Piece]) -> dict[str, Any]:
    rows, numbers, ties, base = [], [], [], 0
    for segment, chosen in pieces:
        places, counts = spread(segment.row_hubs.starts, chosen)
        rows.append(np.repeat(np.arange(base, base + len(chosen)), counts))
        numbers.append(segment.hubs.terms[segment.row_hubs.values[places]])
        ties.append(segment.ties[places])
        base += len(chosen)
    terms, places = np.unique(np.concatenate(numbers), return_inverse=True)
    words = np.zeros(len(terms), np.uint8)
    kept = []
    for segment, _ in pieces:
        at = Postings(terms, *NO_POSTINGS).locate(segment.hubs.terms)
        words[at[at >= 0]] = segment.hub_words[at >= 0]
        kept.append((segment.hub_texts, at))
    return {
        "hub_words": words,
        "hub_texts": hub_texts(len(terms), kept),
        **tied(terms, np.concatenate(rows), places, np.concatenate(ties), base),
    }


def hub_texts(count: int, parts: Sequence[tuple[Lists, NDArray[np.int64]]]) -> Lists:
    """Return texts at new places, -1 being none; of two at one place, one that is not empty."""
    lengths = np.zeros(count, np.int64)
    for texts, places in parts:
        held = np.diff(texts.starts)
        used = (places >= 0) & (held > 0)
        lengths[places[used]] = held[used]
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    values = np.zeros(int(starts[-1]), np.uint8)
    for texts, places in parts:
        kept = np.flatnonzero((places >= 0) & (np.diff(texts.starts) > 0))
        origin, counts = spread(texts.starts, kept)
        target = np.arange(len(origin)) - np.repeat(np.cumsum(counts) - counts, counts)
        values[np.repeat(starts[places[kept]], counts) + target] = texts.values[origin]
    return Lists(starts, values)


def once(
    rows: Rows, hubs: Rows, ties: NDArray[np.uint8], count: int
) -> tuple[NDArray[np.int32], Rows, NDArray[np.uint8]]:
    """Return each (row, hub) once, with the bits of all its ties."""
    pairs, places = np.unique(rows * count + hubs, return_inverse=True)
    bits = np.zeros(len(pairs), np.uint8)
    np.bitwise_or.at(bits, places, ties)
    return (pairs // count).astype(np.int32), pairs % count, bits
