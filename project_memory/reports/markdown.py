"""Markdown for a comment or a job summary: a table or a list a section, stored text inert."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from project_memory.reports.row import Entry, Row

_HEADINGS = {"error": "Errors", "warning": "Warnings", "note": "Notes"}
_MOST_ENTRIES, _MOST_POINTS = 40, 12
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#!|~&])")


def text(title: str, summary: str, rows: Iterable[Row]) -> str:
    """Return a page with a heading, a summary and the rows in their order."""
    listed = tuple(rows)
    parts = [f"# {_inert(title)}\n\n{_inert(summary)}\n"]
    for severity, heading in _HEADINGS.items():
        chosen = [row for row in listed if row.severity == severity]
        if chosen:
            lines = "".join(_line(row) for row in chosen)
            parts.append(f"## {heading}\n\n| check | place | finding |\n|---|---|---|\n{lines}")
    return "\n".join(parts)


def outline(title: str, summary: str, sections: Mapping[str, Sequence[Entry]]) -> str:
    """Return a page with a heading, a summary of paragraphs, and a list for each section.

    Of a long section the first entries are written, for comments have a greatest length.
    """
    paragraphs = "\n\n".join(map(_inert, summary.split("\n\n")))
    parts = [f"# {_inert(title)}\n\n{paragraphs}\n"]
    for heading, entries in sections.items():
        if entries:
            listed = "".join(map(_item, entries[:_MOST_ENTRIES]))
            more = len(entries) - _MOST_ENTRIES
            rest = f"\nand {more} more\n" if more > 0 else ""
            parts.append(f"## {_inert(heading)}\n\n{listed}{rest}")
    return "\n".join(parts)


def _item(entry: Entry) -> str:
    points = "".join(f"  - {_inert(point)}\n" for point in entry.points[:_MOST_POINTS])
    return f"- **{_inert(entry.name)}** {_inert(entry.text)}\n{points}"


def _line(row: Row) -> str:
    place = row.place if row.file is None else f"{_file(row)} {row.place}"
    return f"| {row.code} | {_inert(place)} | {_inert(row.message)} |\n"


def _file(row: Row) -> str:
    return f"{row.file}" if row.line is None else f"{row.file}:{row.line}"


def _inert(value: str) -> str:
    # a mention in a comment would call whoever has the name
    return _MARKUP.sub(r"\\\1", " ".join(value.split())).replace("@", "@\u200b")
