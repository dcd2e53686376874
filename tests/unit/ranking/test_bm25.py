import numpy as np
import pytest

from project_memory.ranking import bm25


def test_idf_is_the_non_negative_form():
    # ln(1 + (10 - 1 + .5) / 1.5) = ln 7.3333, ln(1 + .5 / 10.5) = ln 1.047619
    assert bm25.idf(np.array([1, 10]), 10) == pytest.approx([1.9924301647, 0.0465200156])


def test_a_field_of_average_length_is_not_penalised():
    # lengths 2 and 4 average 3: 1 - .6 + .6 * 2/3 = .8 and 1 - .6 + .6 * 4/3 = 1.2
    assert bm25.length_norms(np.array([2, 4]), 0.6) == pytest.approx([0.8, 1.2])


def test_an_absent_field_does_not_lower_the_average():
    assert bm25.length_norms(np.array([0, 3, 3]), 0.6)[1:] == pytest.approx([1.0, 1.0])


def test_no_document_has_the_field():
    assert bm25.length_norms(np.array([0, 0]), 0.6) == pytest.approx([0.4, 0.4])


def test_saturation_grows_to_k1_plus_one():
    # 1.2 * 2.2 / (1.2 + 1.2) = 1.1
    assert bm25.saturated(np.array([0.0, 1.2, 1e9])) == pytest.approx([0.0, 1.1, 2.2])
