"""What programs write rarely is read as what it is: no word is lost, and nothing breaks off."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from project_memory.exchange import foreign
from project_memory.exchange.foreign import Item, markdown

LINES = ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"]
"""What Python takes for the end of a line, and Markdown does not."""
EVENTS = "CREATE TABLE events (id, kind, payload, supersedes)"
BESIDE = "CREATE TABLE sources (id); CREATE TABLE dependencies (id);"
EPISODES = "CREATE TABLE episodes (id, title);"


def read(path: Path, name: str) -> foreign.Reading:
    return foreign.read(path, name, path.name)


@pytest.mark.parametrize("sign", LINES, ids=ascii)
def test_a_rare_end_of_line_moves_no_text_and_loses_none(sign: str) -> None:
    text = f"# A\n\nfirst{sign}still first\n\n- one\n- two\n\n## B\n\nlast\n"
    found = [
        (section.titles, section.line, [(block.text, block.line) for block in section.blocks])
        for section in markdown.sections(text)
    ]
    assert found == [
        (("A",), 1, [(f"first{sign}still first", 3), ("one", 5), ("two", 6)]),
        (("A", "B"), 8, [("last", 10)]),
    ]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"], ids=ascii)
def test_every_end_of_line_that_markdown_has_is_one(end: str) -> None:
    (section,) = markdown.sections(end.join(["# A", "", "one", "", "- two", ""]))
    assert [(block.text, block.line) for block in section.blocks] == [("one", 3), ("two", 5)]


def test_a_rule_of_cursor_keeps_a_rare_end_of_line_in_its_description(tmp_path: Path) -> None:
    path = tmp_path / "a.mdc"
    path.write_text("---\ndescription: keep\u2028both\n---\n\x0c# no heading\n", newline="")
    (item,) = read(path, "cursor").items
    assert item.title == "keep\u2028both"


@pytest.mark.parametrize(("first", "second"), [("results", "memories"), ("memories", "results")])
@pytest.mark.parametrize("other", [3, {"a": 1}, "x", None])
def test_mem0_is_read_where_its_list_is(tmp_path: Path, first, second, other) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps({first: other, second: [{"id": "a", "memory": "one"}]}, indent=0))
    given = read(path, "mem0")
    at = path.read_text().split("\n").index("{", 1) + 1
    assert [(item.origin, item.line) for item in given.items] == [("a", at)]


def of_events(path: Path, *changes: str, episodes: str = EPISODES, events: str = EVENTS) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript("".join([episodes, BESIDE, events, ";", *changes]))
        database.commit()


def added(kind: str, payload: dict, name: str = "a") -> str:
    return (
        "INSERT INTO events (id, kind, payload) "
        f"VALUES ('{name}', '{kind}', '{json.dumps(payload)}');"
    )


def events_of(path: Path) -> tuple[Item, ...]:
    given = read(path, "project-memory-mcp")
    assert not given.problems
    return given.items


@pytest.mark.parametrize("status", [["rejected"], {"rejected": 1}, 5, None])
def test_a_review_whose_verdict_is_no_word_retires_nothing(tmp_path: Path, status) -> None:
    review = {"lesson_id": "a", "status": status}
    path = tmp_path / "memory.db"
    of_events(path, added("lesson", {"do": "one"}), added("lesson_review", review, "b"))
    assert [item.status for item in events_of(path)] == ["active"]


def test_episodes_without_an_id_are_the_title_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    episodes = "CREATE TABLE episodes (title); INSERT INTO episodes VALUES ('t');"
    of_events(path, added("lesson", {"do": "one"}), episodes=episodes)
    assert [item.facts for item in events_of(path)] == [("do: one",)]


def test_events_without_an_id_are_told(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    row = "INSERT INTO events VALUES ('lesson', '{}', 'b');"
    of_events(path, row, events="CREATE TABLE events (kind, payload, supersedes)")
    given = read(path, "project-memory-mcp")
    assert [(problem.message, problem.line) for problem in given.problems] == [
        ("'id' is missing; it is text", 1)
    ]


def test_a_column_cannot_take_the_place_of_the_number_of_its_row(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    row = """INSERT INTO events VALUES ('a', 'lesson', '{"do": "one"}', null, 'zz');"""
    of_events(path, row, events=EVENTS.replace("supersedes", "supersedes, rowid_"))
    assert [item.line for item in events_of(path)] == [1]
