"""What a term adds to the score of each row that holds it, worked out when it is first asked.

An impact is the saturated BM25F frequency without the idf, so that it stays the same while the
average lengths do.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from project_memory.index.segment import Part, Postings, Segment
from project_memory.ranking import bm25

Channel: TypeAlias = Literal["stems", "surfaces"]
Averages: TypeAlias = tuple[float, float, float]

_MOST_HELD = 16_000_000
_WORTH_HOLDING = 64
_FIELDS = ("title", "body", "labels")


class Impacts:
    """The impacts of a segment at certain average lengths; safe to share between threads."""

    def __init__(self, segment: Segment, averages: Averages) -> None:
        self.averages = averages
        self._segment = segment
        self.scales = scales(segment.lengths, averages)
        self._held: dict[tuple[Channel, int], NDArray[np.float32]] = {}
        self._size = 0

    def of(self, channel: Channel, place: int) -> NDArray[np.float32]:
        """Return the impact of a term on each of its postings."""
        found = self._held.get((channel, place))
        if found is None:
            span = self._postings(channel).span(place)
            found = bm25.saturated(self.parts(channel, span).sum(axis=1)).astype(np.float32)
            self._hold(channel, place, found)
        return found

    def parts(self, channel: Channel, span: slice | NDArray[np.int64]) -> NDArray[np.float64]:
        """Return, (postings, 3), the weighted frequency in each part, unsaturated."""
        postings = self._postings(channel)
        counts = postings.counts[span, : len(Part)]
        scaled: NDArray[np.float64] = counts * self.scales[postings.rows[span]]
        return scaled

    def _postings(self, channel: Channel) -> Postings:
        return self._segment.stems if channel == "stems" else self._segment.surfaces

    def _hold(self, channel: Channel, place: int, found: NDArray[np.float32]) -> None:
        if len(found) < _WORTH_HOLDING:
            return
        if self._size > _MOST_HELD:
            self._held, self._size = {}, 0
        self._held[channel, place] = found
        self._size += len(found)


def scales(lengths: NDArray[np.integer], averages: Averages) -> NDArray[np.float64]:
    """Return, (m, 3), weight over length norm of each part of rows, from their lengths, (m, 3)."""
    settings = [bm25.FIELDS[field] for field in _FIELDS]
    return np.stack(
        [
            setting.weight / bm25.length_norms(lengths[:, part], setting.b, average)
            for part, setting, average in zip(Part, settings, averages, strict=True)
        ],
        axis=1,
    )


def impacts(segment: Segment, averages: Averages) -> Impacts:
    """Return the impacts of a segment, those of the last time if the averages are the same."""
    held = segment.impacts.get("last")
    if held is None or held.averages != averages:
        held = segment.impacts["last"] = Impacts(segment, averages)
    return held
