"""The problems that validation found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def place(problem: Data) -> str:
    """Return where a problem is: file and line, or memory, then the JSON path.

    What shows in the project's code is there, in the file and line that go before.
    """
    where = _line(problem) if problem.get("file") else problem.get("memory", "")
    code = _line(problem["at"]) if problem.get("at") else ""
    return " ".join(p for p in (code, where, problem["path"]) if p not in (None, "", "$")) or "$"


def _line(place: Data) -> str:
    return f"{place['file']}:{place['line']}" if place.get("line") else str(place["file"])


def verdict(report: Data) -> str:
    """Return the summary: how much was checked, how much was found."""
    severities = [problem["severity"] for problem in report["problems"]]
    errors, warnings = severities.count("error"), severities.count("warning")
    found = f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"
    memories = "memory" if report["checked"] == 1 else "memories"
    checked = f"{report['checked']} {memories} checked"
    if report.get("facts"):
        checks = report["facts"]["checks"]
        checked += f", {checks} check{'s' * (checks != 1)} of facts"
    return f"{checked}: {found}"


def _rows(report: Data) -> Iterator[tuple[object, ...]]:
    for file in report.get("mended", ()):
        for change in file["changes"]:
            yield _mended(report), file["file"], "", change
    for problem in report["problems"]:
        fix = f"; {problem['fix']}" if problem.get("fix") else ""
        yield problem["severity"], place(problem), problem["code"], problem["message"] + fix


def _render(report: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    for file in report.get("mended", ()):
        console.print(Text(_mended(report), "green").append(f"  {file['file']}", "bold"))
        for change in file["changes"]:
            words.indented(console, change)
    styles = {"error": "bold red", "warning": "yellow"}
    for problem in report["problems"]:
        severity = problem["severity"]
        line = Text(severity, style=styles[severity]).append(f"  {place(problem)}", style="bold")
        console.print(line.append(f"  {problem['code']}", style="dim"))
        words.indented(console, problem["message"])
        if problem.get("fix"):
            words.indented(console, problem["fix"], style="green")


def _mended(report: Data) -> str:
    return "to mend" if report["dry_run"] else "mended"


def _remarks(report: Data) -> Iterator[str]:
    if "mended" in report:
        count = len(report["mended"])
        files = f"{count} file{'s' * (count != 1)}"
        would = "dry run: would mend" if report["dry_run"] else "mended"
        yield f"{would} {files}" if count else "nothing to mend"
    yield verdict(report)


VIEW = View(_rows, _render, _remarks)
