"""Names of the code in texts: what looks like one counts, what prose has does not."""

from __future__ import annotations

import pytest
from factories import document

from project_memory.checkout.patches import ChangedFile, Fate, Hunk
from project_memory.services.affected.identifiers import (
    Sight,
    distinctive,
    is_name,
    sights,
    words,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("retry_budget, MAX_RETRIES and _private_name_", {"retry_budget", "MAX_RETRIES",
                                                          "_private_name_"}),
        ("SqliteStore, openStore, HTTPServer", {"SqliteStore", "openStore", "HTTPServer"}),
        ("ENOSPC, TS2345, crc32c", {"ENOSPC", "TS2345", "crc32c"}),
        ("threading.local and Store.open_all()", {"threading.local", "Store.open_all",
                                                  "open_all"}),
        ("使用retry_budget时。", {"retry_budget"}),
        ("the words of prose, a Name, an ID, URLs and PRs, e.g. i.e. x_y v2 utf8", set()),
        ("JSON HTTP NEVER README.md GitHub JavaScript ValueError sqlite3 __init__", set()),
        ("is_file, read_text, contextlib and open_all", {"open_all"}),
        ("see config.py, package.json and github.com", set()),
    ],
)  # fmt: skip
def test_what_looks_like_a_name_of_the_code_is_one(text: str, found: set[str]) -> None:
    lesson = document(description="d", remembered_facts=[{"fact": text}])
    assert {word for word in words(lesson) if is_name(word)} == found
    lines = ChangedFile("a.py", Fate.ADDED, None, (Hunk(1, (), (text,)),))
    assert sights([lines]).keys() - {"a.py"} == found


def test_every_text_of_a_lesson_is_read() -> None:
    lesson = document(
        description="one_name", tags=["two_names"], triggers=["three_names"],
        remembered_facts=["four_names"], solution_pattern=["five_names"], pitfalls=["six_names"],
    )  # fmt: skip
    assert words(lesson) == {
        "one_name", "two_names", "three_names", "four_names", "five_names", "six_names",
    }  # fmt: skip


def test_paths_are_read_too() -> None:
    lesson = document(description="in src/store/sqlite.py, then in docs/a-b.md.")
    assert {"src/store/sqlite.py", "docs/a-b.md"} <= words(lesson)


def test_a_name_that_many_lessons_mention_tells_nothing() -> None:
    lessons = {f"lesson-{n}": document(description="common_name") for n in range(4)}
    lessons["lesson-1"] = document(description="common_name rare_name")
    among = {"common_name", "rare_name", "other_name"}
    assert distinctive(lessons, among) == {"rare_name": ["lesson-1"]}
    del lessons["lesson-3"]
    assert distinctive(lessons, {"common_name"}) == {
        "common_name": ["lesson-0", "lesson-1", "lesson-2"],
    }  # fmt: skip


def test_a_name_is_seen_where_it_came_before_where_it_went() -> None:
    went = Hunk(4, ("call(old_name, kept_name)",), ("call()", "x = self.kept_name.open()"))
    files = [
        ChangedFile("a.py", Fate.CHANGED, None, (went,)),
        ChangedFile("b.py", Fate.DELETED, None, (Hunk(0, ("lost_name",), ()),)),
        ChangedFile("c/new.py", Fate.RENAMED, "c/old.py", ()),
    ]
    assert sights(files) == {
        "a.py": Sight("a.py", 4, is_gone=False),
        "b.py": Sight("b.py", None, is_gone=False),
        "self.kept_name": Sight("a.py", 5, is_gone=False),
        "self.kept_name.open": Sight("a.py", 5, is_gone=False),
        "old_name": Sight("a.py", 4, is_gone=True),
        "kept_name": Sight("a.py", 5, is_gone=False),
        "kept_name.open": Sight("a.py", 5, is_gone=False),
        "lost_name": Sight("b.py", None, is_gone=True),
        "c/new.py": Sight("c/new.py", None, is_gone=False),
        "c/old.py": Sight("c/new.py", None, is_gone=True),
    }


def test_lines_that_programs_write_are_passed_over() -> None:
    long = "rare_name " * 201
    file = ChangedFile("a.js", Fate.ADDED, None, (Hunk(1, (), (long,)),))
    assert sights([file]).keys() == {"a.js"}
