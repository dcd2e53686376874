"""Markdown that a comment can hold: in order, and inert."""

from __future__ import annotations

from project_memory.reports import Entry, Row, markdown


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


def test_an_outline_lists_entries_with_their_points_below_a_heading() -> None:
    sections = {"Pitfalls": [Entry("lake", "it is <b>deep</b>", ("a | b", "call @ada"))],
                "None": [], "Others": [Entry("pond", "it is not")]}  # fmt: skip
    assert markdown.outline("What is wet", "two\n\nnotes*", sections) == (
        "# What is wet\n\ntwo\n\nnotes\\*\n\n"
        "## Pitfalls\n\n- **lake** it is \\<b\\>deep\\</b\\>\n"
        "  - a \\| b\n  - call @\u200bada\n\n"
        "## Others\n\n- **pond** it is not\n"
    )


def test_of_a_long_section_the_first_entries_are_written() -> None:
    many = [Entry(f"lake-{number}", "wet", ("point",) * 20) for number in range(43)]
    page = markdown.outline("t", "s", {"Lakes": many})
    assert page.endswith("\nand 3 more\n")
    assert page.count("- **lake-") == 40
    assert page.count("  - point") == 40 * 12
