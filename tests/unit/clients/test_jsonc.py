from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from project_memory.clients import jsonc
from project_memory.errors import InvalidInput

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip


@given(VALUES, st.sampled_from([None, 1, 2, "\t"]), st.booleans())
def test_what_json_writes_is_read_as_json_reads_it(value, indent, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert jsonc.read(text).value == json.loads(text)


def test_comments_and_trailing_commas_are_no_values() -> None:
    text = '\ufeff// a\n{ "a" /* b */ : [1, // c\n 2,], /**/ "b//": "/* no */", }\n// end'
    assert jsonc.read(text).value == {"a": [1, 2], "b//": "/* no */"}


def test_the_last_of_two_members_of_one_name_counts() -> None:
    node = jsonc.read('{"a": 1, "a": 2}')
    assert node.value == {"a": 2}
    assert node.child("a").node.value == 2


def test_what_stands_where_is_told() -> None:
    text = '{"a": [10, true]}'
    node = jsonc.read(text).at(("a", 1))
    assert text[node.start : node.end] == "true"
    assert jsonc.read(text).at(("a", 2)) is None
    assert jsonc.read(text).at(("b", "c")) is None


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("", "line 1 column 1", "a value is expected"),
        ('{"a": 1', "line 1 column 8", "',' or '}' is expected"),
        ('{"a": 1\n "b": 2}', "line 2 column 2", "',' or '}' is expected"),
        ("[1 2]", "line 1 column 4", "',' or ']' is expected"),
        ("{,}", "line 1 column 2", "a name in quotes or '}' is expected"),
        ("{'a': 1}", "line 1 column 2", "a name in quotes or '}' is expected"),
        ('\ufeff{"a" 1}', "line 1 column 6", "':' is expected"),
        ('{"a": tru}', "line 1 column 7", "a value is expected"),
        ('{"a": "\\x"}', "line 1 column 7", "a value is expected"),
        ('{"a": "\n"}', "line 1 column 7", "a value is expected"),
        ("{} x", "line 1 column 4", "the end is expected"),
        ("{} /* open", "line 1 column 4", "the end is expected"),
        (f"[{'1' * 5000}]", "line 1 column 2", "a value is expected"),
        ("[" * 2000, "line 1 column 102", "more than 100 values are nested"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(text: str, place: str, expected: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        jsonc.read(text)
    assert str(caught.value) == (
        f"{place} is not JSON ({expected}); correct it by hand and run this again"
    )


@given(VALUES, VALUES, st.sampled_from([None, 2]))
def test_what_stands_beside_a_path_changes_nothing(value, other, indent) -> None:
    text = json.dumps({"x": other, "a": {"y": [other], "b": value}, "z": other}, indent=indent)
    whole, part = jsonc.read(text), jsonc.read(text, ("a", "b"))
    assert part.at(("a", "b")) == whole.at(("a", "b"))
    for path in ((), ("a",)):
        ends = [
            [(c.start, c.key, c.node.start, c.node.end, c.comma) for c in node.at(path).children]
            for node in (whole, part)
        ]
        assert ends[0] == ends[1]


def test_what_is_no_plain_json_is_read_wholly() -> None:
    assert jsonc.read('{"x": [1, /* c */ 2], "a": 1}', ("a",)).value == {"x": [1, 2], "a": 1}
    with pytest.raises(InvalidInput):
        jsonc.read('{"x": NaN, "a": 1}', ("a",))
