from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from project_memory.clients import jsonc, jsonc_edits
from project_memory.errors import InvalidInput

ENTRY = {"command": "project-memory", "args": ["serve"]}
PATH = ("mcpServers", "ours")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None,
         '{\n  "mcpServers": {\n    "ours": 1\n  }\n}\n'),
        ("\n",
         '\n{\n  "mcpServers": {\n    "ours": 1\n  }\n}'),
        ("{}",
         '{"mcpServers": { "ours": 1 }}'),
        ('{"mcpServers": {}}\n',
         '{"mcpServers": {"ours": 1}}\n'),
        ('{"a": [1]}',
         '{"a": [1], "mcpServers": { "ours": 1 }}'),
        ('{\n    "a": 1 // one\n}\n',
         '{\n    "a": 1, // one\n    "mcpServers": {\n        "ours": 1\n    }\n}\n'),
        ('{\r\n\t"mcpServers": {\r\n\t\t"x": {},\r\n\t},\r\n}',
         '{\r\n\t"mcpServers": {\r\n\t\t"x": {},\r\n\t\t"ours": 1,\r\n\t},\r\n}'),
        ('{"mcpServers": {\n  "x": 0 /* a */ /* b */ // c  \n  // "y": 1\n}}',
         '{"mcpServers": {\n  "x": 0, /* a */ /* b */ // c  \n  "ours": 1\n  // "y": 1\n}}'),
        ('{\n  "mcpServers": {"x": {\n    "a": 1\n  }}\n}',
         '{\n  "mcpServers": {"x": {\n    "a": 1\n  },\n    "ours": 1}\n}'),
    ],
)  # fmt: skip
def test_what_is_put_stands_as_the_rest_does(before: str | None, after: str) -> None:
    assert jsonc_edits.put(before, PATH, 1) == after
    assert jsonc_edits.without(after, PATH) == before


BLANKS = st.sampled_from(
    ["", " ", "\n", "\n  ", "\r\n\t", "  \n\n ", " // c \n", "/* c */", "\n// c\n"]
)
NAMES = st.sampled_from(["a", "mcpServers", "ours-not", "hooks", 'é\\"/*'])


@st.composite
def written(draw, depth: int = 0) -> str:
    """Return JSON with comments, blanks and trailing commas at random places."""

    def blank() -> str:
        return draw(BLANKS)

    kind = draw(st.sampled_from(["{", "{", "[", "1"] if depth < 3 else ["1"])) if depth else "{"
    if kind == "1":
        return draw(st.sampled_from(["1", '"x"', "null", '"//"', "{}", "[]"]))
    children = []
    names = draw(st.lists(NAMES, max_size=3, unique=True)) if kind == "{" else ["", ""]
    for name in names:
        # whatever holds the server is an object
        inner = (draw(written(depth + 1)) if name != "mcpServers"
                 else draw(written()).lstrip())  # fmt: skip
        key = f"{json.dumps(name)}{blank()}:{blank()}" if kind == "{" else ""
        children.append(f"{blank()}{key}{inner}{blank()}")
    comma = draw(st.sampled_from(["", ","])) if children else ""
    closing = "}" if kind == "{" else "]"
    return f"{kind}{','.join(children)}{comma}{blank()}{closing}"


@given(BLANKS, written(), BLANKS)
def test_what_was_put_is_taken_out_to_the_byte(before: str, text: str, after: str) -> None:
    whole = before + text + after
    once = jsonc_edits.put(whole, PATH, ENTRY)
    expected = jsonc.read(whole).value
    expected.setdefault("mcpServers", {})["ours"] = ENTRY
    assert jsonc.read(once).value == expected
    assert jsonc_edits.without(once, PATH) == whole


@given(BLANKS, written(), BLANKS)
def test_items_are_taken_out_to_the_byte(before: str, text: str, after: str) -> None:
    whole = before + text + after
    path = ("ours", "Start")
    once = jsonc_edits.append(whole, path, ENTRY)
    twice = jsonc_edits.append(once, path, {"n": 2})
    assert jsonc.read(twice).at(path).value == [ENTRY, {"n": 2}]
    assert jsonc_edits.without(twice, (*path, 1)) == once
    assert jsonc_edits.without(once, (*path, 0)) == whole


@pytest.mark.parametrize("before", [None, "", "\ufeff", " \r\n", "[]", '{"ours": {"Start": []}}'])
def test_a_text_without_anything_is_restored(before: str | None) -> None:
    if before == "[]":
        once = jsonc_edits.append(before, (), 1)
        assert (once, jsonc_edits.without(once, (0,))) == ("[1]", before)
    else:
        once = jsonc_edits.append(before, ("ours", "Start"), ENTRY)
        assert jsonc_edits.without(once, ("ours", "Start", 0)) == before


@pytest.mark.parametrize(
    ("edited", "left"),
    [
        ('{\n  "mcpServers": {\n    "ours": 1,\n    "x": 2\n  }\n}\n',
         '{\n  "mcpServers": {\n    "x": 2\n  }\n}\n'),
        ('{\n  "mcpServers": {\n    // a note\n    "ours": 1\n  }\n}\n',
         '{\n  "mcpServers": {\n    // a note\n  }\n}\n'),
        ('// a note\n{\n  "mcpServers": {\n    "ours": 1\n  }\n}\n',
         "// a note\n{}\n"),
        ('{\n  "mcpServers": {\n    "ours": 1\n  },\n  "x": 2\n}\n',
         '{\n  "x": 2\n}\n'),
    ],
)  # fmt: skip
def test_what_others_wrote_since_stays(edited: str, left: str) -> None:
    assert jsonc_edits.without(edited, PATH) == left


def test_what_is_not_there_is_not_taken_out() -> None:
    assert jsonc_edits.without('{"mcpServers": 1}', PATH) == '{"mcpServers": 1}'
    assert jsonc_edits.found("", PATH) is None
    assert jsonc_edits.found('{"mcpServers": {"ours": 3}}', PATH) == 3


def test_a_value_is_replaced_where_it_stands() -> None:
    assert jsonc_edits.put('{"a": {"b": [1, 2] /* c */}}', ("a", "b"), ["é"]) == (
        '{"a": {"b": ["é"] /* c */}}'
    )


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("[]", ("a",), "it holds no JSON object"),
        ('{"a": []}', ("a", "b"), "'a' is not an object"),
        ('{"a": {"b": 1}}', ("a", "b", "c"), "'a.b' is not an object"),
    ],
)
def test_what_can_hold_nothing_is_told(text: str, path: tuple[str, ...], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        jsonc_edits.put(text, path, 1)
    assert str(caught.value) == f"{message}; correct it by hand and run this again"


def test_what_is_no_array_takes_no_items() -> None:
    with pytest.raises(InvalidInput) as caught:
        jsonc_edits.append('{"a": {}}', ("a",), 1)
    assert str(caught.value) == "'a' is not an array; correct it by hand and run this again"
