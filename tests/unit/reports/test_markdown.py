"""Markdown that a comment can hold: in order, and inert."""

from __future__ import annotations

from project_memory.reports import Row, markdown


def test_rows_stand_below_their_severity() -> None:
    rows = (
        Row("secret", "error", "lake $.tags[0]", "looks like a secret"),
        Row("file-missing", "warning", "pond", "it is gone", "src/pond.py", 4),
        Row("label-unused", "note", "area:lake", "no memory carries it"),
    )
    assert markdown.text("Audit of demo", "3 memories audited", rows) == (
        "# Audit of demo\n\n3 memories audited\n\n"
        "## Errors\n\n| check | place | finding |\n|---|---|---|\n"
        "| secret | lake $.tags\\[0\\] | looks like a secret |\n\n"
        "## Warnings\n\n| check | place | finding |\n|---|---|---|\n"
        "| file-missing | src/pond.py:4 pond | it is gone |\n\n"
        "## Notes\n\n| check | place | finding |\n|---|---|---|\n"
        "| label-unused | area:lake | no memory carries it |\n"
    )


def test_stored_text_is_neither_markup_nor_a_mention() -> None:
    row = Row("odd", "note", "lake", "a | b\n# c <img src=x> [d](e) @everyone `f`")
    assert markdown.text("t", "s", [row]).splitlines()[-1] == (
        "| odd | lake | a \\| b \\# c \\<img src=x\\> \\[d\\]\\(e\\) @\u200beveryone \\`f\\` |"
    )
