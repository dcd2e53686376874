import numpy as np
import pytest

from project_memory.ranking import bm25


def test_idf_is_the_non_negative_form():
    # ln(1 + (10 - 1 + .5) / 1.5) = ln 7.3333, ln(1 + .5 / 10.5) = ln 1.047619
    assert bm25.idf(np.array([1, 10]), 10) == pytest.approx([1.9924301647, 0.0465200156])


def test_a_field_of_average_length_is_not_penalised():
    # lengths 2 and 4 average 3: 1 - .6 + .6 * 2/3 = .8 and 1 - .6 + .6 * 4/3 = 1.2
    assert bm25.length_norms(np.array([2, 4]), 0.6, 3.0) == pytest.approx([0.8, 1.2])


def test_a_norm_is_never_nothing():
    assert bm25.length_norms(np.array([0, 1]), 1.0, 1.0).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("total", "count", "average"),
    [
        (6, 3, 2.0),
        (54321, 1000, 54.3),
        (2, 3, 0.667),
        (0, 0, 1.0),
        (0, 5, 1.0),
        (123456, 1, 123e3),
    ],
)
def test_an_average_has_three_significant_digits(total, count, average):
    assert bm25.average(total, count) == average


def test_saturation_grows_to_k1_plus_one():
    # 1.2 * 2.2 / (1.2 + 1.2) = 1.1
    assert bm25.saturated(np.array([0.0, 1.2, 1e9])) == pytest.approx([0.0, 1.1, 2.2])
