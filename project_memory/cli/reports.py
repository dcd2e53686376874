"""Forms of a report: text, JSON, Markdown, GitHub annotations, SARIF."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from project_memory import reports
from project_memory.cli import neutral
from project_memory.cli.output import Data, emit, say, write, write_json
from project_memory.cli.views.report import VIEW, place, verdict
from project_memory.model import as_json
from project_memory.reports import Row


def _text(report: object) -> None:
    emit(report, VIEW)


def _json(report: object) -> None:
    write_json(as_json(report))


def _github(report: object) -> None:
    data = neutral.data(as_json(report))
    write(reports.annotations.text(map(_row(data["source"]), data["problems"])))
    say(verdict(data))


def _sarif(report: object) -> None:
    data = neutral.data(as_json(report))
    rows = map(_row(data["source"]), data["problems"])
    write_json(reports.sarif.log(rows, {}, version()))
    say(verdict(data))


def version() -> str:
    """Return the version of this program."""
    from importlib import metadata  # noqa: PLC0415  # 30 ms

    return metadata.version("project-memory")


def _row(source: str) -> Callable[[Data], Row]:
    def row(problem: Data) -> Row:
        fix = f"; {problem['fix']}" if problem.get("fix") else ""
        return Row(
            problem["code"],
            problem["severity"],
            _subject(problem),
            f"{problem['message']}{fix}",
            _from_here(source, problem),
            problem.get("line"),
        )

    return row


def _subject(problem: Data) -> str:
    """Return memory, else file, and JSON path; the line stands apart, for it moves."""
    return place({"memory": problem.get("memory") or problem.get("file"), "path": problem["path"]})


def _from_here(source: str, problem: Data) -> str | None:
    """Return a problem's file relative to the working directory, where services look for it."""
    if not problem.get("file"):
        return None
    # of a folder that only git's index holds there is nothing on the disk
    place = Path(source) if Path(source).is_file() else Path(source) / problem["file"]
    return Path(os.path.relpath(place)).as_posix()


WRITERS: Mapping[str, Callable[[object], None]] = MappingProxyType(
    {"text": _text, "json": _json, "github": _github, "sarif": _sarif}
)
