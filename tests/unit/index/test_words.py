from __future__ import annotations

import numpy as np
from factories import memory
from hypothesis import given
from hypothesis import strategies as st

from project_memory.index import Index
from project_memory.index.distinct import distinct
from project_memory.model import Registry
from project_memory.ranking.hashing import number


@given(st.lists(st.integers(0, 5)))
def test_the_different_values_are_those_of_numpy(values: list[int]) -> None:
    array = np.array(values, np.uint64)
    assert distinct(array).tolist() == np.unique(array).tolist()


def test_words_are_told_with_the_rows_that_hold_them() -> None:
    memories = [
        memory(place, id=f"m{place}", description=text)
        for place, text in enumerate(["zebra crossing"] + ["every crossing"] * 5)
    ]
    words = Index.build(memories, Registry(), 1).words()
    known = words.known.tolist()

    def rows(stem: str) -> list[int]:
        place = known.index(number(stem))
        return words.rows[words.starts[place] : words.starts[place + 1]].tolist()

    assert known == sorted(known)
    assert (rows("zebra"), rows("cross")) == ([0], [0, 1, 2, 3, 4, 5])
    assert number("lion") not in known
    assert words.count == 6
