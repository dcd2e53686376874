"""Markdown for a comment or a job summary: a table for each severity, stored text inert."""

from __future__ import annotations

import re
from collections.abc import Iterable

from project_memory.reports.row import Row

_HEADINGS = {"error": "Errors", "warning": "Warnings", "note": "Notes"}
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


def _line(row: Row) -> str:
    place = row.place if row.file is None else f"{_file(row)} {row.place}"
    return f"| {row.code} | {_inert(place)} | {_inert(row.message)} |\n"


def _file(row: Row) -> str:
    return f"{row.file}" if row.line is None else f"{row.file}:{row.line}"


def _inert(value: str) -> str:
    # a mention in a comment would call whoever has the name
    return _MARKUP.sub(r"\\\1", " ".join(value.split())).replace("@", "@\u200b")
