"""Strict reading of JSON files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from project_memory.exchange import text
from project_memory.exchange.folder import OnDisk
from project_memory.model import Problem


def problem(content: str) -> Problem:
    value, problems = text.parse(content, "a.json")
    assert value is None
    (found,) = problems
    assert found.file == "a.json"
    return found


def said(content: str) -> tuple[str, str, int | None]:
    found = problem(content)
    return found.code, found.message, found.line


def test_json_is_read() -> None:
    assert text.parse('{"a": [1, null, "é"]}', "a.json") == ({"a": [1, None, "é"]}, [])


@pytest.mark.parametrize("content", ["", "  \n\t"])
def test_an_empty_file_is_said_to_be_empty(content: str) -> None:
    assert said(content)[:2] == ("bad-json", "empty")


def test_what_is_no_json_is_named_with_its_line_and_column() -> None:
    assert said('{\n  "a": nope\n}') == ("bad-json", "not JSON: Expecting value at column 8", 2)


@pytest.mark.parametrize("marker", ["<<<<<<< ours", "=======", ">>>>>>> theirs", "||||||| base"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_merge_marker_is_named_with_its_line(marker: str, ending: str) -> None:
    content = ending.join(["{", marker, '"a": 1', "}"])
    assert said(content) == ("merge-marker", "an unresolved merge marker", 2)


def test_signs_inside_a_text_are_no_merge_marker() -> None:
    assert text.parse('{"a": "<<<<<<< ======= >>>>>>>"}', "a.json")[1] == []


def test_a_key_given_twice_is_named_where_it_is_given_again() -> None:
    content = '{\n"a": {"id": 1},\n"id": 2,\n"b": [{"id": 3,\n"id": 4}],\n"c": {"id": 5}\n}'
    assert said(content) == ("duplicate-key", "key 'id' is given twice", 5)


def test_a_key_given_twice_in_another_spelling_is_found() -> None:
    assert said('{"a\\u0062": 1,\n"ab": "ab"}') == (
        "duplicate-key", "key 'ab' is given twice", 2
    )  # fmt: skip


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_lacks_are_refused(number: str) -> None:
    assert said(f'{{"a": "NaN",\n"b": {number}}}') == ("bad-json", f"{number} is not JSON", 2)


def test_a_number_of_too_many_digits_is_refused() -> None:
    content = '{"a": 1,\n"b": ' + "7" * 5000 + "}"
    assert said(content) == ("bad-json", "a number has over 4,300 digits", 2)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 100_000, "[" * 5000 + "]" * 5000])
def test_deep_nesting_is_refused(content: str) -> None:
    assert said(content) == ("too-deep", "nested too deep to be a document", 1)


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf{}")
    assert text.load(OnDisk(tmp_path), "a.json", "a.json") == ("{}", [])


def test_a_file_that_is_not_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes('{\n"a": "é"}'.encode("latin-1"))
    assert text.load(OnDisk(tmp_path), "a.json", "b.json") == (
        "",
        [
            Problem(
                "not-utf8", "the file is not UTF-8", file="b.json", line=2, fix="save it as UTF-8"
            )
        ],
    )


def test_a_file_beyond_every_measure_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "a.json").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    assert text.load(OnDisk(tmp_path), "a.json", "a.json") == (
        "",
        [Problem("oversize", "the file is larger than 64 MiB", file="a.json")],
    )


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_may_never_end_is_not_read(tmp_path: Path, kind: str) -> None:
    path = {"pipe": tmp_path / "pipe", "device": Path("/dev/zero"), "folder": tmp_path}[kind]
    if kind == "pipe":
        os.mkfifo(path)
    assert text.load(OnDisk(path.parent), path.name, "a.json") == (
        "",
        [
            Problem(
                "not-a-file", "no regular file", file="a.json", fix="save what it gives to a file"
            )
        ],
    )


def test_a_file_that_tells_no_size_is_read_to_its_limit() -> None:
    system = OnDisk(Path("/proc/self"))  # the size of its files is said to be 0
    assert text.load(system, "maps", "maps", limit=10)[1][0].code == "oversize"
    assert text.load(system, "maps", "maps")[0].count("\n") > 10
