"""Annotations, read back as the service reads them."""

from __future__ import annotations

import re

from project_memory.reports import Row, annotations

COMMAND = re.compile(r"::(?P<command>error|warning|notice) (?P<properties>[^:]*)::(?P<data>.*)")


def read_back(line: str) -> tuple[str, dict[str, str], str]:
    """Return (command, properties, message) of one workflow command."""
    found = COMMAND.fullmatch(line)
    assert found
    pairs = (pair.split("=", 1) for pair in found["properties"].split(","))
    properties = {name: _unescaped(value) for name, value in pairs}
    return found["command"], properties, _unescaped(found["data"])


def _unescaped(value: str) -> str:
    for written, meant in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n")):
        value = value.replace(written, meant)
    return value.replace("%25", "%")


def test_a_row_comes_back_as_it_was() -> None:
    row = Row("odd-code", "error", "lake $.tags[0]", "50% of\nit: bad, really", "a,b:c.json", 7)
    (line,) = annotations.text([row]).splitlines()
    assert read_back(line) == (
        "error",
        {"file": "a,b:c.json", "line": "7", "title": "odd-code"},
        "lake $.tags[0]: 50% of\nit: bad, really",
    )


def test_a_note_is_a_notice_and_needs_no_file() -> None:
    row = Row("label-unused", "note", "area:lake", "no memory carries it")
    assert annotations.text([row]) == (
        "::notice title=label-unused::area:lake: no memory carries it\n"
    )


def test_text_cannot_begin_a_command_of_its_own() -> None:
    row = Row("odd", "warning", "lake", "fine\n::stop-commands::x\r::error::y")
    assert len(annotations.text([row]).splitlines()) == 1


def test_no_row_is_no_line() -> None:
    assert annotations.text([]) == ""
