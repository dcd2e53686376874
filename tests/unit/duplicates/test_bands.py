"""A sketch tells how like two texts are; its bands are where likes meet."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from project_memory.duplicates import BANDS, bands, bands_of, may_be_near
from project_memory.duplicates.bulk import resemblances, sketches
from project_memory.duplicates.minhash import SIZE, sketch
from project_memory.duplicates.shingles import plain, resemblance, shingles

LESSON = "The build fails when the lock file is missing from the repository"
TWIN = "The build breaks when the lock file is missing in the repository"


@given(st.lists(st.text(max_size=60), max_size=5))
def test_many_texts_are_sketched_as_each_alone(texts: list[str]) -> None:
    together = [tuple(row) if row[0] < 1 << 32 else None for row in sketches(texts).tolist()]
    assert together == [sketch(text) for text in texts]


@given(st.lists(st.text(max_size=60), max_size=5))
def test_many_texts_have_the_bands_of_each_alone(texts: list[str]) -> None:
    assert bands_of(texts) == [bands(text) for text in texts]


@given(st.text(st.characters(max_codepoint=127)))
def test_a_text_in_ascii_is_spelled_as_any_other(text: str) -> None:
    # a letter from beyond makes the rules for all scripts speak
    assert plain(f"{text} é") == f"{plain(text)} é".strip()


@given(st.text("abc é", max_size=40), st.lists(st.text("abc é", max_size=40), max_size=5))
def test_resemblances_by_hashes_are_those_of_the_grams(text: str, others: list[str]) -> None:
    exact = [resemblance(shingles(text), shingles(other)) for other in others]
    assert resemblances(text, others).tolist() == pytest.approx(exact)


def test_only_texts_of_other_grams_cannot_be_near() -> None:
    assert may_be_near(LESSON, [TWIN, "Dates in the export are local time", LESSON]) == [
        True,
        False,
        True,
    ]
    assert may_be_near(LESSON, []) == []


def test_without_numpy_every_text_may_be_near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numpy")
    assert may_be_near(LESSON, ["Dates in the export are local time"]) == [True]
    assert bands_of([LESSON, "!"]) == [bands(LESSON), ()]


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
    found = bands(LESSON)
    assert [key >> 57 for key in found] == list(range(BANDS))


def test_twins_share_bands_and_strangers_none() -> None:
    stranger = "Dates in the export are local time, whatever its header says"
    assert len(set(bands(LESSON)) & set(bands(TWIN))) >= 3
    assert not set(bands(LESSON)) & set(bands(stranger))


def test_spelling_does_not_move_a_text_to_other_bands() -> None:
    assert bands("Run `make lint`, FIRST") == bands("run make lint first")


def test_a_text_without_a_letter_has_no_bands() -> None:
    assert bands("!? ...") == ()
