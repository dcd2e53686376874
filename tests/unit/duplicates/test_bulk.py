"""Sketches of many texts are compared as arrays, and as each pair alone would be."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np

from project_memory.duplicates import bulk
from project_memory.duplicates.minhash import SIZE
from project_memory.duplicates.shingles import resemblance, shingles


def test_agreements_are_counted_over_any_number_of_pairs() -> None:
    draw = np.random.default_rng(5)
    signs = draw.integers(0, 3, (60, 24), np.uint8) * np.uint8(127)  # 0, 127 and 254
    pairs = draw.integers(0, 60, (40_000, 2))
    counted = (signs[pairs[:, 0]] == signs[pairs[:, 1]]).sum(axis=1)
    assert bulk._agreeing(signs, pairs).tolist() == counted.tolist()
    assert bulk._agreeing(signs, pairs[:0]).tolist() == []


def test_signs_are_ranked_by_their_values_in_turn() -> None:
    draw = np.random.default_rng(5)
    # of which the first differ, or not at all
    signs = draw.integers(0, 2, (40, SIZE), np.uint8) * np.uint8(255)
    signs[:, 3:] = 7
    rows = sorted(range(40), key=lambda row: (signs[row].tolist(), row))
    assert bulk._ranks(signs).tolist() == np.argsort(rows).tolist()


def test_pairs_are_kept_that_share_half_of_their_grams() -> None:
    chance = random.Random(7)
    word = "resemblance of écrits"
    texts = {3 * row: "".join(chance.choices("ab", k=chance.randrange(40))) for row in range(40)}
    texts |= {200 + row: f"{word} {chance.choice(('one', 'two'))}" for row in range(4)}
    texts |= {300: "", 301: "...", 302: word}
    pairs = np.array(list(combinations(texts, 2)))
    expected = [
        [one, other]
        for one, other in pairs.tolist()
        if resemblance(shingles(texts[one]), shingles(texts[other])) >= 0.5
    ]
    assert 20 < len(expected) < len(pairs) / 2
    assert bulk.resembling(texts, pairs, 0.5).tolist() == expected
