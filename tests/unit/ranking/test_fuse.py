import numpy as np
import pytest

from project_memory.ranking import fuse

TIES = np.arange(50, dtype=np.uint64)


def seeds(lexical, names):
    return fuse.seeds(lexical, names, TIES[: len(lexical)])


def test_the_best_rows_come_first_and_ties_by_their_number():
    scores = np.array([0.5, 2.0, 0.0, 2.0, 1.0])
    assert fuse.best(scores, 3, TIES).tolist() == [1, 3, 4]
    assert fuse.best(scores, 3, TIES[:5][::-1]).tolist() == [3, 1, 4]


def test_of_equal_rows_at_the_cut_the_lowest_numbers_stay():
    ties = np.array([7, 3, 9, 1], np.uint64)
    assert fuse.best(np.ones(4), 2, ties).tolist() == [3, 1]


def test_rows_without_a_score_are_not_among_the_best():
    assert fuse.best(np.array([0.0, 1.0]), 5, TIES[:2]).tolist() == [1]
    assert fuse.best(np.zeros(3), 5, TIES).tolist() == []


def test_seeds_are_sharp():
    found = seeds(np.array([2.0, 1.0, 0.0]), np.zeros(3))
    # (1/2) ** 7 = 1/128
    assert found == pytest.approx([128 / 129, 1 / 129, 0])


def test_names_in_the_query_take_six_tenths_of_the_seeds():
    found = seeds(np.array([1.0, 0, 0]), np.array([0, 3.0, 1.0]))
    assert found == pytest.approx([0.4, 0.45, 0.15])


def test_names_alone_take_all():
    assert seeds(np.zeros(2), np.array([0, 2.0])) == pytest.approx([0, 1.0])


def test_nothing_seeds_where_nothing_matches():
    assert not seeds(np.zeros(3), np.zeros(3)).any()


def test_no_more_than_twenty_seed():
    assert np.count_nonzero(seeds(np.linspace(1, 2, 50), np.zeros(50))) == 20


def test_steps_into_a_memory_keep_a_floor():
    assert fuse.bias(np.array([0.0, 1.0, 4.0]), 4.0) == pytest.approx([0.2, 0.45, 1.2])


def test_the_walk_decides_and_the_text_breaks_ties():
    scores = fuse.fused(np.array([2.0, 1.0, 1.0]), np.array([1.0, 2.0, 4.0]))
    assert scores == pytest.approx([1.01, 0.52, 0.54])


def test_without_a_walk_the_order_is_that_of_the_text():
    assert fuse.fused(np.zeros(2), np.array([1.0, 2.0])) == pytest.approx([0.02, 0.04])


def test_scores_are_rounded_to_nine_digits():
    assert fuse.fused(np.array([3.0, 1.0]), np.zeros(2)).tolist() == [1.0, 0.333333333]


@pytest.mark.parametrize("positive", [3, 40, 5000])
def test_the_best_of_many_rows_are_those_that_sorting_all_gives(positive: int):
    chance = np.random.default_rng(7)
    scores = np.zeros(20_001)
    rows = chance.choice(len(scores), positive, replace=False)
    scores[rows] = chance.integers(1, 400, positive) / 8  # many are equal
    ties = chance.permutation(len(scores)).astype(np.uint64)
    ranked = sorted(rows.tolist(), key=lambda row: (-scores[row], ties[row]))
    assert fuse.best(scores, 20, ties).tolist() == ranked[:20]


def test_the_best_stand_in_the_last_rows_too():
    scores = np.linspace(0, 1, 10_007)
    ties = np.arange(len(scores), dtype=np.uint64)
    assert fuse.best(scores, 5, ties).tolist() == [10_006, 10_005, 10_004, 10_003, 10_002]
