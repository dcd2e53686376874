import numpy as np
import pytest

from project_memory.ranking import proximity

A, B, X = 0, 1, 7
DIVIDER = -1


def scores(*documents: list[int], pairs=((A, B),), n=10):
    sequence = np.array([t for d in documents for t in d])
    owners = np.repeat(np.arange(len(documents)), [len(d) for d in documents])
    lengths = np.array([sum(t != DIVIDER for t in d) for d in documents])
    places = np.flatnonzero(sequence != DIVIDER)
    found = places, sequence[places], owners[places]
    return proximity.scores(*found, lengths, pairs, n=n, average=float(lengths.mean()))


# one of ten documents has the pair: idf = ln(1 + 9.5 / 1.5); its length is average,
# so that one occurrence counts 1 * 2.2 / (1 + 1.2) = 1
ONE_OF_TEN = 1.9924301647


def test_adjacent_terms_in_order_count_for_both_bonuses():
    adjacent, near = scores([A, B, X], [X, X, X])
    assert adjacent == pytest.approx([ONE_OF_TEN, 0])
    assert near == pytest.approx([ONE_OF_TEN, 0])


def test_terms_in_the_other_order_or_apart_are_near_only():
    for document in ([B, A, X], [A, X, B]):
        adjacent, near = scores(document, [X, X, X])
        assert adjacent == pytest.approx([0, 0])
        assert near == pytest.approx([ONE_OF_TEN, 0])


def test_the_window_spans_eight_terms():
    inside, outside = [A, *[X] * 6, B], [A, *[X] * 7, B]
    assert scores(inside, [X] * 8)[1][0] > 0
    assert scores(outside, [X] * 9)[1][0] == 0


def test_terms_of_two_documents_are_not_neighbours():
    adjacent, near = scores([X, A], [B, X])
    assert not adjacent.any()
    assert not near.any()


def test_fields_are_not_neighbours_in_order():
    adjacent, _ = scores([A, DIVIDER, B], [X, X])
    assert not adjacent.any()


def test_longer_documents_count_less():
    adjacent, _ = scores([A, B], [A, B, X, X, X, X])
    assert adjacent[0] > adjacent[1] > 0
