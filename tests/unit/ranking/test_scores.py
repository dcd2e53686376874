"""Formulas against hand calculations."""

from __future__ import annotations

import math

import numpy as np
import pytest

from project_memory.ranking import bm25, fuse, names, phrases, proximity


def test_bm25_of_one_term_by_hand() -> None:
    # three documents of 2, 4 and 0 terms; the term stands once in the first, twice in the second
    lengths = np.array([2, 4, 0])
    norms = bm25.length_norms(lengths, 0.6, 3.0)
    assert norms == pytest.approx([0.4 + 0.6 * 2 / 3, 0.4 + 0.6 * 4 / 3, 0.4])
    weighted = np.array([1 / norms[0], 2 / norms[1]])
    by_hand = [x * 2.2 / (x + 1.2) for x in (1 / 0.8, 2 / 1.2)]
    assert bm25.saturated(weighted) == pytest.approx(by_hand)
    assert bm25.idf(np.array([2]), 3)[0] == pytest.approx(math.log(1 + 1.5 / 2.5))


def test_adjacent_and_near_terms_by_hand() -> None:
    # "1 2" stand together in the first document, 3 places apart in the second, then too far
    texts = [[1, 2, -1], [1, 9, 9, 2, -1], [1, *[9] * 8, 2, -1]]
    sequence = np.concatenate(texts)
    places = np.flatnonzero((sequence == 1) | (sequence == 2))
    owners = np.repeat(np.arange(3), [len(text) for text in texts])[places]
    lengths = np.array([2, 4, 10])
    adjacent, near = proximity.scores(
        places, sequence[places], owners, lengths, [(1, 2)], n=3, average=16 / 3
    )
    norm = [0.25 + 0.75 * length / (16 / 3) for length in lengths]
    one = [(1 / x) * 2.2 / (1 / x + 1.2) for x in norm]
    assert adjacent == pytest.approx([one[0] * math.log(1 + 2.5 / 1.5), 0, 0])
    rare = math.log(1 + 1.5 / 2.5)
    assert near == pytest.approx([one[0] * rare, one[1] * rare, 0])


def test_without_a_walk_the_order_is_lexical() -> None:
    lexical = np.array([1.0, 4.0, 2.0])
    assert list(np.argsort(-fuse.fused(np.zeros(3), lexical))) == [1, 2, 0]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Teutberga", "teutberga"),
        ("Theodred II (Bishop of Elmham)", "theodred ii"),
        ("sqlite-locked", "sqlite locked"),
        ("the", None),
        ("42", None),
        ("ab", None),
        ("", None),
        ("a sentence that goes on for much longer than any name would do", None),
    ],
)
def test_the_canonical_form_of_a_name(text: str, name: str | None) -> None:
    assert names.canonical(text) == name


def test_phrases_and_identifiers_of_prose() -> None:
    text = "The Bank of England asked Ada. See `open_store`, src/app.py and HTTPServer or main()."
    assert set(phrases.phrases(text)) >= {"bank of england", "ada"}
    assert set(phrases.identifiers(text)) == {"open_store", "src/app.py", "main"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("def paste(xsel=False):\n    return run(['xclip'])", True),
        ("The writer holds the lock (a long one) until it commits.", False),
        ("", False),
    ],
)
def test_code_is_told_from_prose(text: str, code: bool) -> None:
    assert phrases.is_code(text) is code
