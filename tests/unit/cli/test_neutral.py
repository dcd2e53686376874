"""Stored text cannot command a terminal."""

from __future__ import annotations

import json

import pytest

from project_memory.cli import neutral


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("plain, кэш, 数据库, 👩‍💻", "plain, кэш, 数据库, 👩‍💻"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("back\rover", "back\\x0dover"),
        ("rub\x7fout", "rub\\x7fout"),
        ("evil\u202etxt.exe", "evil\\u202etxt.exe"),
        ("\u2066isolated\u2069", "\\u2066isolated\\u2069"),
        ("\udcff", "\\udcff"),
        ("one\u2028two", "one\\u2028two"),
        ("a zero\u200bwidth\ufeff", "a zero\\u200bwidth\\ufeff"),
        ("tags\U000e0072\U000e007f", "tags\\U000e0072\\U000e007f"),
        ("soft\xadhyphen", "soft\\xadhyphen"),
    ],
)
def test_codes_are_written_out(stored: str, shown: str) -> None:
    assert neutral.text(stored) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, ""), (3, "3"), ("a\tb\nc", "a\\tb\\nc"), ("\x1b", "\\x1b")],
)
def test_a_cell_stays_in_its_place(value: object, shown: str) -> None:
    assert neutral.cell(value) == shown


def test_data_is_made_harmless_in_depth() -> None:
    stored = {"a\x1b": ["\x1b", {"b": "\x9b"}], "n": 1, "none": None}
    assert neutral.data(stored) == {
        "a\\x1b": ["\\x1b", {"b": "\\x9b"}],
        "n": 1,
        "none": None,
    }


def test_json_means_the_same_without_raw_codes() -> None:
    value = {"text": "\x1b \x9b \x7f \u202e \udcff \u200b \U000e0041 кэш"}
    encoded = neutral.json_text(json.dumps(value, ensure_ascii=False))
    assert encoded == (
        '{"text": "\\u001b \\u009b \\u007f \\u202e \\udcff \\u200b \\udb40\\udc41 кэш"}'
    )
    assert json.loads(encoded) == value
