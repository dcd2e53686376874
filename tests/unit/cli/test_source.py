"""JSON from files and standard input."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from project_memory.cli import source
from project_memory.errors import InvalidInput, NotFound


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert source.read_json(str(path)) == {"a": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "standard input is empty; a JSON document is expected"),
        (b" \n", "standard input is empty; a JSON document is expected"),
        (b"\xff", "standard input is not UTF-8 at byte 0; save it as UTF-8"),
        (b'{"a": \n oops}',
         "standard input is not JSON: expecting value at line 2, column 2; correct it there"),
        (b'{"a": NaN}', "'NaN' is not JSON; use a number or null"),
        (b'{"a": 1, "a": 2}', "member 'a' stands twice in one JSON object; keep one"),
        (b"[" * 200_000, "standard input is nested too deeply; a memory needs few levels"),
        (b"1" * 5_000, "standard input holds a number that is too long; shorten it"),
    ],
)  # fmt: skip
def test_text_that_is_no_json_is_named(
    monkeypatch: pytest.MonkeyPatch, content: bytes, message: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with pytest.raises(InvalidInput) as refused:
        source.read_json("-")
    assert str(refused.value) == message


def test_a_missing_file_is_named() -> None:
    with pytest.raises(NotFound) as refused:
        source.read_json("/nowhere/a.json")
    assert str(refused.value) == (
        "no file '/nowhere/a.json'; name an existing one, or - for standard input"
    )


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        source.read_json(str(tmp_path))
    assert str(refused.value) == f"'{tmp_path}' cannot be read: is a directory"


def test_words_are_joined() -> None:
    assert source.read_words(("database", "is", "locked")) == "database is locked"
    assert source.read_words(()) == ""


def test_a_dash_reads_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"E   database\nis locked\n")))
    assert source.read_words(("-",)) == "E   database\nis locked"


def test_what_never_ends_is_read_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_LARGEST", 1000)
    with pytest.raises(InvalidInput) as refused:
        source.read_text("/dev/zero")
    assert str(refused.value) == ("'/dev/zero' holds more than 64 MiB; give what a memory needs")
