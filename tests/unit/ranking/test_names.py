import numpy as np
import pytest

from project_memory.ranking import names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Theodred II (Bishop of Elmham)", "theodred ii"),
        ("Lothair's Crown", "lothair crown"),
        ("agent-crew", "agent crew"),
        ("  Café  Society ", "cafe society"),
    ],
)
def test_a_name_is_compared_folded_and_without_punctuation(text, name):
    assert names.canonical(text) == name


@pytest.mark.parametrize(
    "text",
    ["", "()", "ab", "the", "1984", "one two three four five six seven eight nine ten eleven"],
)
def test_what_names_nothing_is_no_name(text):
    assert names.canonical(text) is None


def test_the_longest_name_at_a_place_is_the_one_found():
    # new york city | york | new york
    one = [False, True, False, False, False, False, True]
    two = [True, False, False, False, False, True]
    three = [True, False, False, False, False]
    assert names.longest([np.array(each) for each in (one, two, three)]) == [(0, 3), (5, 2)]


def test_a_name_may_end_a_text():
    assert names.longest([np.array([False, True]), np.array([False])]) == [(1, 1)]


def test_nothing_is_found_in_nothing():
    assert names.longest([]) == []
