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
    write(reports.annotations.text(map(_row(data), data["problems"])))
    say(verdict(data))


def _sarif(report: object) -> None:
    data = neutral.data(as_json(report))
    rows = map(_row(data), data["problems"])
    write_json(reports.sarif.log(rows, {}, version()))
    say(verdict(data))


def version() -> str:
    """Return the version of this program."""
    from importlib import metadata  # noqa: PLC0415  # 30 ms

    return metadata.version("project-memory")


def _row(report: Data) -> Callable[[Data], Row]:
    def row(problem: Data) -> Row:
        fix = f"; {problem['fix']}" if problem.get("fix") else ""
        return Row(
            problem["code"],
            problem["severity"],
            _subject(problem),
            f"{problem['message']}{fix}",
            *_from_here(report, problem),
        )

    return row


def _subject(problem: Data) -> str:
    """Return memory, else file, and JSON path; the line stands apart, for it moves."""
    return place({"memory": problem.get("memory") or problem.get("file"), "path": problem["path"]})


def _from_here(report: Data, problem: Data) -> tuple[str | None, int | None]:
    """Return file and line; the file as from the working directory, where services look for it.

    What the code contradicts is shown in the code.
    """
    if problem.get("at"):
        at = problem["at"]
        return _relative(Path(report["facts"]["checkout"]) / at["file"]), at.get("line")
    if not problem.get("file"):
        return None, problem.get("line")
    source = Path(report["source"])
    # of a folder that only git's index holds there is nothing on the disk
    place = source if source.is_file() else source / problem["file"]
    return _relative(place), problem.get("line")


def _relative(place: Path) -> str:
    return Path(os.path.relpath(place)).as_posix()


WRITERS: Mapping[str, Callable[[object], None]] = MappingProxyType(
    {"text": _text, "json": _json, "github": _github, "sarif": _sarif}
)
