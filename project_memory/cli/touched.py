"""Forms of what a change touches: text, JSON, Markdown, GitHub annotations."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from project_memory import reports
from project_memory.cli import neutral
from project_memory.cli.output import Data, emit, say, write, write_json
from project_memory.cli.views.affected import VIEW, verdict
from project_memory.model import as_json
from project_memory.reports import Entry, Row


def _text(report: object) -> None:
    emit(report, VIEW)


def _json(report: object) -> None:
    write_json(as_json(report))


def _markdown(report: object) -> None:
    data = neutral.data(as_json(report))
    sections = {
        "Pitfalls": [lesson for lesson in data["lessons"] if lesson["pitfalls"]],
        "Other lessons": [lesson for lesson in data["lessons"] if not lesson["pitfalls"]],
    }
    entries = {title: list(map(_entry, several)) for title, several in sections.items()}
    summary = "\n\n".join((verdict(data), *data["notes"]))
    write(reports.markdown.outline("Lessons that this change touches", summary, entries))


def _github(report: object) -> None:
    data = neutral.data(as_json(report))
    write(reports.annotations.text(_rows(data)))
    say(verdict(data))


def _entry(lesson: Data) -> Entry:
    found = [f"{_place(reason)}{reason['message']}" for reason in lesson["reasons"]]
    found += [f"validate it again: {why}" for why in lesson["revalidate"]]
    found += [f"pitfall: {text}" for text in lesson["pitfalls"]]
    found += [f"beware: {lesson['banner']}"] if lesson.get("banner") else []
    return Entry(lesson["id"], lesson["description"], tuple(found))


def _place(reason: Data) -> str:
    """Return the line where a reason shows, which its message does not tell."""
    return f"line {reason['line']} of {reason['path']}: " if reason.get("line") else ""


def _rows(report: Data) -> Iterator[Row]:
    """Yield one row for each lesson, at the line of its first reason."""
    for lesson in report["lessons"]:
        first = lesson["reasons"][0]
        told = [lesson["description"], first["message"], *lesson["revalidate"]]
        told += [f"pitfall: {text}" for text in lesson["pitfalls"]]
        is_urgent = lesson["pitfalls"] or lesson["revalidate"]
        yield Row(
            "revalidate" if lesson["revalidate"] else "lesson",
            "warning" if is_urgent else "note",
            lesson["id"],
            "; ".join(told),
            _from_here(report, first.get("path")),
            first.get("line"),
        )


def _from_here(report: Data, path: str | None) -> str | None:
    """Return a path as from the working directory, where services look for it."""
    if path is None or report.get("checkout") is None:
        return path
    return Path(os.path.relpath(Path(report["checkout"]) / path)).as_posix()


WRITERS: Mapping[str, Callable[[object], None]] = MappingProxyType(
    {"text": _text, "json": _json, "markdown": _markdown, "github": _github}
)
