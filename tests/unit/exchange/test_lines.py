"""The line of a JSON path in a file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from project_memory.exchange import lines

CONTENT = """{
  "id": "x",
  "labels": [
    "a",
    "b\\"}]"
  ],
  "scope": {"files": [],
    "project": "demo"}
}
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("$", 1),
        ("$.id", 2),
        ("$.labels", 3),
        ("$.labels[0]", 4),
        ("$.labels[1]", 5),
        ("$.scope", 7),
        ("$.scope.files", 7),
        ("$.scope.project", 8),
        ("$.absent", 1),
        ("$.labels[7]", 3),
        ("$.labels.name", 3),
        ("$.id[0]", 2),
    ],
)
def test_the_line_of_a_path(path: str, line: int) -> None:
    assert lines.line_of(CONTENT, path) == line


@pytest.mark.parametrize("content", ["", "{", '{"a', '{"a":', "[1,", "nonsense"])
def test_broken_text_has_no_line_or_its_first(content: str) -> None:
    assert lines.line_of(content, "$.a.b[1]") in {None, 1}


KEYS = st.text('abc"\\{}[]:,é ', min_size=1, max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab"\\{}[],\n', max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def paths(value: Any, path: str = "$") -> list[str]:
    found = [path]
    match value:
        case dict():
            for key, item in value.items():
                if not set(key) & set(".[]"):
                    found += paths(item, f"{path}.{key}")
        case list():
            for place, item in enumerate(value):
                found += paths(item, f"{path}[{place}]")
    return found


def marked(value: Any, path: str, here: str = "$") -> Any:
    """Return a value with "MARK" in the place of what stands at a path."""
    if here == path:
        return "MARK"
    match value:
        case dict():
            return {k: marked(v, path, f"{here}.{k}") for k, v in value.items()}
        case list():
            return [marked(v, path, f"{here}[{n}]") for n, v in enumerate(value)]
    return value


@settings(deadline=None)
@given(VALUES, st.data())
def test_every_value_is_found_on_the_line_where_it_stands(value: Any, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(paths(value)))
    content = json.dumps(marked(value, path), indent=1)
    line = content[: content.index('"MARK"')].count("\n") + 1
    assert lines.line_of(content, path) == line


def test_a_path_can_start_at_a_value_inside() -> None:
    start = lines.find(CONTENT, "$.scope")
    assert lines.line_of(CONTENT, "$.project", start) == 8


def test_the_children_of_a_value_are_found() -> None:
    assert list(lines.children('{"a": 1, "b": [2]}', 0)) == [("a", 6), ("b", 14)]
    assert list(lines.children("[7, {}]", 0)) == [(0, 1), (1, 4)]
    assert list(lines.children('"text"', 0)) == []
