"""Give rows other labels without reading their texts again.

Of a text, labels change the terms and hubs of one field. A rename of a label that half of a store
carries would otherwise analyse half of all texts to find each as it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from project_memory.index.building import tied
from project_memory.index.merging import hub_texts, once
from project_memory.index.segment import (
    DIVIDER,
    NO_POSTINGS,
    Lists,
    Part,
    Postings,
    Segment,
    Tie,
    Trait,
)

_OF_LABELS = 2
"""The field of labels follows so many ends of fields in the sequence of a row."""


def relabelled(texts: Segment, labels: Segment) -> Segment:
    """Return the rows of one segment with the labels, files, links and statuses of another.

    Both hold the same memories in the same order; `labels` is built of what `fields.labelled`
    gives.
    """
    stems = _channel(texts.stems, labels.stems)
    surfaces = _channel(texts.surfaces, labels.surfaces)
    lengths = texts.lengths.copy()
    lengths[:, Part.LABELS] = labels.lengths[:, Part.LABELS]
    return replace(
        labels,
        traits=texts.traits & np.uint8(Trait.CODE) | labels.traits,
        languages=texts.languages,
        lengths=lengths,
        stems=stems,
        surfaces=surfaces,
        sequence=_sequence((texts, labels), stems),
        words=Lists(texts.words.starts, _moved(texts.words.values, texts.surfaces, surfaces)),
        **_hubs(texts, labels),
    )


def _channel(texts: Postings, labels: Postings) -> Postings:
    kept = texts.counts[:, : Part.LABELS].any(axis=1)
    old = texts.counts[kept]
    old[:, Part.LABELS] = 0
    terms = np.concatenate((_terms(texts)[kept], _terms(labels)))
    rows = np.concatenate((texts.rows[kept], labels.rows))
    order = np.lexsort((rows, terms))
    terms, rows = terms[order], rows[order]
    new = np.ones(len(terms), np.bool_)
    new[1:] = (terms[1:] != terms[:-1]) | (rows[1:] != rows[:-1])
    places = np.flatnonzero(new)
    # no field is in both, and how a word is written is the same in both
    counts = np.maximum.reduceat(np.concatenate((old, labels.counts))[order], places)
    different, starts = np.unique(terms[places], return_index=True)
    return Postings(different, np.append(starts, len(places)), rows[places], counts)


def _sequence(sources: tuple[Segment, Segment], stems: Postings) -> Lists:
    """Return title and body of the first, and labels of the second."""
    values, rows = [], []
    for place, segment in enumerate(sources):
        lists = segment.sequence
        owners = np.repeat(np.arange(len(segment)), np.diff(lists.starts))
        ends = lists.values == DIVIDER
        # every row has the same number of ends, so that they count its fields
        field = np.cumsum(ends) - ends - len(Part) * owners
        kept = (field >= _OF_LABELS) == (place == 1)
        values.append(_moved(lists.values[kept], segment.stems, stems))
        rows.append(owners[kept])
    owners = np.concatenate(rows)
    counts = np.bincount(owners, minlength=len(sources[0]))
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return Lists(starts, np.concatenate(values)[np.argsort(owners, kind="stable")])


def _hubs(texts: Segment, labels: Segment) -> dict[str, Any]:
    ties = texts.ties & ~np.uint8(Tie.CARRIED)
    kept = ties > 0
    numbers = np.concatenate((_tied(texts)[kept], _tied(labels)))
    rows = np.concatenate((_owners(texts)[kept], _owners(labels)))
    terms, places = np.unique(numbers, return_inverse=True)
    words = np.zeros(len(terms), np.uint8)
    held = []
    for segment in (labels, texts):
        at = _located(terms, segment.hubs.terms)
        words[at[at >= 0]] = segment.hub_words[at >= 0]
        held.append((segment.hub_texts, at))
    bits = np.concatenate((ties[kept], labels.ties))
    return {
        "hub_words": words,
        "hub_texts": hub_texts(len(terms), held),
        **tied(terms, *once(rows, places, bits, len(terms)), len(texts)),
    }


def _moved(values: NDArray[np.int32], before: Postings, after: Postings) -> NDArray[np.int32]:
    places = np.append(after.locate(before.terms), DIVIDER).astype(np.int32)
    return places[values]


def _terms(postings: Postings) -> NDArray[np.uint64]:
    return np.repeat(postings.terms, np.diff(postings.starts))


def _tied(segment: Segment) -> NDArray[np.uint64]:
    numbers: NDArray[np.uint64] = segment.hubs.terms[segment.row_hubs.values]
    return numbers


def _owners(segment: Segment) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(segment)), np.diff(segment.row_hubs.starts))


def _located(terms: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> NDArray[np.int64]:
    return Postings(terms, *NO_POSTINGS).locate(wanted)
