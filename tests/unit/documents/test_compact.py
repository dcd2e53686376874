"""The text of a document in the store is that of the standard encoder, byte for byte."""

from __future__ import annotations

import json
import math
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from project_memory import documents

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(0.001, 1),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def standard(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@given(JSON)
def test_the_text_is_that_of_the_standard_encoder(value: Any) -> None:
    assert documents.compact(value) == standard(value)


@given(JSON)
def test_the_size_is_that_of_the_text_in_bytes(value: Any) -> None:
    assert documents.size(value) == len(standard(value).encode())


@pytest.mark.parametrize(
    "value",
    [
        {"a": ["\ud800"]},
        2**70,
        math.inf,
        math.nan,
        '\x00\x1f\x7f\u2028"\\/é😀',
        {"none": None, "nan": math.nan},
        {"none": None, "null": "null", "inner": {"inf": math.inf, "none": None}},
        {"none": None, "other": None, "inner": [None]},
    ],
)
def test_what_is_unusual_is_written_like_anything_else(value: Any) -> None:
    assert documents.compact(value) == standard(value)


def test_a_mapping_of_any_type_is_an_object() -> None:
    assert documents.compact({"a": MappingProxyType({"z": 1, "b": ()})}) == '{"a":{"z":1,"b":[]}}'


def test_what_is_no_json_data_is_not_written() -> None:
    with pytest.raises(TypeError):
        documents.compact({"a": object()})
