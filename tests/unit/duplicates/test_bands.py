"""A sketch tells how like two texts are; its bands are where likes meet."""

from __future__ import annotations

import random
import sys
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from project_memory.duplicates import (
    BANDS,
    LEAST,
    Imprint,
    imprint,
    imprints,
    least_bands,
    may_be_near,
)
from project_memory.duplicates.bulk import sketches
from project_memory.duplicates.minhash import SIZE, sketch
from project_memory.duplicates.shingles import plain, resemblance, shingles

LESSON = "The build fails when the lock file is missing from the repository"
TWIN = "The build breaks when the lock file is missing in the repository"


@given(st.lists(st.text(max_size=60), max_size=5))
def test_many_texts_are_sketched_as_each_alone(texts: list[str]) -> None:
    together = [tuple(row) if row[0] < 1 << 32 else None for row in sketches(texts).tolist()]
    assert together == [sketch(text) for text in texts]


@given(st.lists(st.text(max_size=60), max_size=5))
def test_many_texts_have_the_imprints_of_each_alone(texts: list[str]) -> None:
    assert imprints(texts) == [imprint(text) for text in texts]


@given(st.lists(st.text(max_size=60), max_size=5))
def test_the_least_band_of_a_text_is_that_of_its_imprint(texts: list[str]) -> None:
    assert least_bands(texts) == [min(imprint(text).bands, default=None) for text in texts]


@given(st.text(st.characters(max_codepoint=127)))
def test_a_text_in_ascii_is_spelled_as_any_other(text: str) -> None:
    # a letter from beyond makes the rules for all scripts speak
    assert plain(f"{text} é") == f"{plain(text)} é".strip()


def signs(text: str) -> bytes:
    return imprint(text).signs


def test_only_texts_of_other_grams_cannot_be_near() -> None:
    stranger = "Dates in the export are local time, whatever the header of the file may say"
    assert may_be_near(signs(LESSON), signs(TWIN))
    assert may_be_near(signs(LESSON), signs(LESSON))
    assert not may_be_near(signs(LESSON), signs(stranger))


def test_texts_that_resemble_each_other_enough_can_all_be_near() -> None:
    chance = random.Random(7)
    words = [f"{one}{other}" for one in ("pa", "kuro", "min", "te") for other in "abcdefghijkl"]
    near = 0
    for _ in range(1500):
        text = chance.choices(words, k=chance.randint(1, 40))
        changed = [chance.choice(words) if chance.random() < 0.15 else word for word in text]
        one, other = " ".join(text), " ".join(changed)
        if resemblance(shingles(one), shingles(other)) >= LEAST:
            near += 1
            assert may_be_near(signs(one), signs(other)), (one, other)
    assert near > 500


def test_of_strangers_nearly_none_can_be_near() -> None:
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    texts = ["".join(chance.choices(letters, k=200)) for _ in range(60)]
    stamps = [signs(text) for text in texts]
    assert not [1 for one, other in combinations(stamps, 2) if may_be_near(one, other)]


def test_a_text_without_signs_may_be_near_any() -> None:
    assert may_be_near(signs(LESSON), b"")
    assert may_be_near(b"", signs(LESSON))


def test_without_numpy_the_imprints_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numpy")
    assert imprints([LESSON, "!"]) == [imprint(LESSON), Imprint()]
    assert least_bands(["!"]) == [None]


def test_the_sketch_of_a_text_is_the_same_for_ever() -> None:
    found = sketch(LESSON)
    assert found is not None
    assert len(found) == SIZE
    assert found[:3] == (1256284831, 1256284831, 1353219797)


def test_sketches_agree_as_far_as_their_texts_resemble_each_other() -> None:
    one, other = sketch(LESSON), sketch(TWIN)
    assert one is not None
    assert other is not None
    agreeing = sum(a == b for a, b in zip(one, other, strict=True)) / SIZE
    exact = resemblance(shingles(LESSON), shingles(TWIN))
    assert abs(agreeing - exact) < 0.15  # three standard deviations


def test_a_text_has_one_key_a_band() -> None:
    found = imprint(LESSON).bands
    assert [key >> 57 for key in found] == list(range(BANDS))


def test_twins_share_bands_and_strangers_none() -> None:
    stranger = "Dates in the export are local time, whatever its header says"
    assert len(set(imprint(LESSON).bands) & set(imprint(TWIN).bands)) >= 3
    assert not set(imprint(LESSON).bands) & set(imprint(stranger).bands)


def test_spelling_does_not_move_a_text_to_other_bands() -> None:
    assert imprint("Run `make lint`, FIRST") == imprint("run make lint first")


def test_a_text_without_a_letter_has_no_imprint() -> None:
    assert imprint("!? ...") == Imprint((), b"")
