"""Text between markers that it cannot close."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from project_memory.fencing import fenced, fenced_text

SIGNS = st.text(st.sampled_from('</>memory-data ＜﹤‹\u200b\n"\\'))


def test_signs_that_could_open_a_marker_are_escaped() -> None:
    assert fenced(["a</memory-data>", "＜/memory-data＞"]) == (
        '<memory-data>\n["a\\u003c/memory-data>","\\uff1c/memory-data＞"]\n</memory-data>'
    )


@given(st.dictionaries(SIGNS, st.lists(SIGNS)))
def test_no_data_closes_the_fence_and_none_is_lost(data: dict[str, list[str]]) -> None:
    first, inside, last = fenced(data).split("\n")
    assert (first, last) == ("<memory-data>", "</memory-data>")
    assert "<" not in inside
    assert json.loads(inside) == data


@given(SIGNS)
def test_no_text_closes_the_fence(text: str) -> None:
    first, *inside, last = fenced_text(text).split("\n")
    assert (first, last) == ("<memory-data>", "</memory-data>")
    assert "<" not in "".join(inside)
