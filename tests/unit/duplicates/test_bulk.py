"""Sketches of many texts are compared as arrays, and as each pair alone would be."""

from __future__ import annotations

import numpy as np

from project_memory.duplicates import bulk
from project_memory.duplicates.minhash import SIZE


def test_agreements_are_counted_over_any_number_of_pairs() -> None:
    draw = np.random.default_rng(5)
    signs = draw.integers(0, 3, (60, 24), np.uint8) * np.uint8(127)  # 0, 127 and 254
    pairs = draw.integers(0, 60, (40_000, 2))
    counted = (signs[pairs[:, 0]] == signs[pairs[:, 1]]).sum(axis=1)
    assert bulk._agreeing(signs, pairs).tolist() == counted.tolist()
    assert bulk._agreeing(signs, pairs[:0]).tolist() == []


def test_sketches_are_ranked_by_their_values_in_turn() -> None:
    draw = np.random.default_rng(5)
    # values of several bytes, of which the first differ in the last byte, or not at all
    sketched = draw.integers(0, 2, (40, SIZE), np.uint64) * np.uint64(255) + np.uint64(1 << 20)
    sketched[:, 3:] = 7
    rows = sorted(range(40), key=lambda row: (sketched[row].tolist(), row))
    assert bulk._ranks(sketched).tolist() == np.argsort(rows).tolist()
