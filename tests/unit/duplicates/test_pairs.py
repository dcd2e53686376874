"""The pairs found without comparing all with all are those that comparing all with all finds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from project_memory.duplicates import LEAST, Pair, Profile, imprints, likeness
from project_memory.duplicates.bulk import CROWD
from project_memory.duplicates.pairs import near_pairs
from project_memory.duplicates.shingles import shingles

SYLLABLES = ("ba", "ko", "ri", "ta", "mu", "se", "lo", "ni", "va", "pe", "do", "zi", "ga", "hu")


def collection(size: int, seed: int) -> dict[str, str]:
    """Return made-up texts of 40 words, a third of them copies with some words exchanged."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(SYLLABLES, k=chance.choice((2, 3, 4)))) for _ in range(4000)]
    texts: list[list[str]] = []
    for number in range(size):
        if number % 3:
            texts.append(chance.choices(words, k=40))
        else:
            rate = chance.choice((0.0, 0.02, 0.05, 0.1, 0.2, 0.3))
            kept = chance.choice(texts) if texts else chance.choices(words, k=40)
            texts.append([w if chance.random() > rate else chance.choice(words) for w in kept])
    return {f"text-{number:04d}": " ".join(text) for number, text in enumerate(texts)}


def twins(texts: dict[str, str], *told: Any) -> list[Pair]:
    found = imprints(list(texts.values()))
    return near_pairs(dict(zip(texts, found, strict=True)), texts.__getitem__, *told)


def resembling(texts: dict[str, str]) -> set[tuple[str, str]]:
    """Return the pairs of names whose texts share so many 5-grams, by comparing all with all."""
    names = sorted(texts)
    sets = [shingles(texts[name]) for name in names]
    columns = {gram: at for at, gram in enumerate(sorted(set().union(*sets)))}
    rows = np.repeat(np.arange(len(sets)), [len(held) for held in sets])
    cells = [columns[gram] for held in sets for gram in held]
    held = sparse.csr_array((np.ones(len(cells)), (rows, cells)), (len(sets), len(columns)))
    shared = (held @ held.T).toarray()
    sizes = np.diag(shared)
    least = shared / (sizes[:, None] + sizes[None, :] - shared) >= LEAST
    return {(names[i], names[j]) for i, j in zip(*np.nonzero(np.triu(least, 1)), strict=True)}


@pytest.mark.parametrize("seed", [1, 2])
def test_a_thousand_texts_give_the_pairs_that_brute_force_finds(seed: int) -> None:
    texts = collection(1000, seed)
    profiles = {name: Profile(text) for name, text in texts.items()}
    expected = {
        (one, other)
        for one, other in resembling(texts)
        if likeness(profiles[one], profiles[other]).are_twins
    }
    found = {(pair.one, pair.other) for pair in twins(texts)}
    assert len(expected) > 300
    assert found <= expected
    assert len(found) >= 0.98 * len(expected)


def test_pairs_come_the_likest_first_with_their_scores() -> None:
    texts = {
        "c": "The build fails when the lock file is missing from the repository",
        "a": "The build breaks when the lock file is missing in the repository",
        "b": "the build fails when the lock file is missing from the repository!",
        "d": "Dates in the export are local time, whatever its header says",
    }
    assert twins(texts) == [
        Pair("b", "c", 1.0),
        Pair("a", "b", 0.5946),
        Pair("a", "c", 0.5946),
    ]


def test_texts_that_differ_in_a_number_are_no_pair() -> None:
    said = "The client must retry {} times before it gives up on the payment queue"
    assert twins({"three": said.format(3), "five": said.format(5)}) == []


def test_nothing_and_blank_texts_have_no_pairs() -> None:
    assert twins({}) == []
    assert twins({"one": "", "other": "..."}) == []


def test_a_crowd_of_one_text_costs_no_more_than_its_members() -> None:
    size = 4 * CROWD
    texts = {f"text-{number:04d}": "the same boilerplate everywhere" for number in range(size)}
    looked_at: list[int] = []
    found = twins(texts, lambda _done, of: looked_at.append(of))
    assert looked_at[0] < 10 * size
    assert {pair.one for pair in found} | {pair.other for pair in found} == texts.keys()
