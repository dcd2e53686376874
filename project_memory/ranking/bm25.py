"""BM25F term weights, computed ahead.

Robertson, Zaragoza and Taylor 2004, "Simple BM25 extension to multiple weighted fields": field
frequencies are weighted and length-normalised, summed, and saturated once. The idf is the
non-negative form of Robertson and Walker, ln(1 + (N - df + .5) / (df + .5)).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

K1 = 1.2


@dataclass(frozen=True, slots=True)
class Field:
    """How one field counts: its weight, and b, the strength of length normalisation in [0, 1]."""

    weight: float
    b: float


FIELDS: Mapping[str, Field] = {
    "title": Field(6.0, 0.9),
    "body": Field(1.0, 0.6),
    "labels": Field(2.0, 0.6),
    "context": Field(0.3, 0.6),
}
"""The fields of the stemmed channel; the unstemmed one has no context."""


def idf(df: NDArray[np.int64], n: int) -> NDArray[np.float64]:
    """Return the inverse document frequency of each term; `df` counts documents out of `n`."""
    inverse: NDArray[np.float64] = np.log1p((n - df + 0.5) / (df + 0.5))
    return inverse


def average(total: int, count: int) -> float:
    """Return total / count to three significant digits; 1 where there is nothing to divide.

    So rounded, it stays the same through most changes, and what is computed from it too.
    """
    return float(f"{total / count:.3g}") if total else 1.0


def length_norms(lengths: NDArray[np.integer], b: float, average: float) -> NDArray[np.float64]:
    """Return 1 - b + b * length / average, (n,); 1 where the length is 0 and b too large."""
    norms = 1 - b + b * lengths.astype(np.float64) / average
    return np.where(norms > 0, norms, 1.0)


def saturated(weighted: NDArray[np.float64], k1: float = K1) -> NDArray[np.float64]:
    """Return x (k1 + 1) / (x + k1), the saturation of a summed field frequency."""
    return weighted * (k1 + 1) / (weighted + k1)
