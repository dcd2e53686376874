"""The lessons that a change touches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def verdict(report: Data) -> str:
    """Return the summary: how large the change is, how many lessons it touches."""
    counts = report["counts"]
    files = f"{report['files']} file{'s' * (report['files'] != 1)} {report['change']}"
    lessons = f"{counts['lessons']} lesson{'s' * (counts['lessons'] != 1)}"
    return (
        f"{files}: {lessons} of {report['checked']} touched, {counts['pitfalls']} with pitfalls, "
        f"{counts['revalidate']} to validate again"
    )


def _rows(report: Data) -> Iterator[tuple[object, ...]]:
    for lesson in report["lessons"]:
        first = lesson["reasons"][0]
        place = ":".join(str(first[name]) for name in ("path", "line") if first.get(name))
        again = "; ".join(lesson["revalidate"])
        yield lesson["id"], first["kind"], place, first["message"], again, lesson["description"]


def _render(report: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    for lesson in report["lessons"]:
        console.print(words.heading(lesson))
        words.indented(console, lesson["description"], style="bold")
        for reason in lesson["reasons"]:
            words.indented(console, reason["message"], style="dim")
        for text in lesson["pitfalls"]:
            words.indented(console, f"pitfall: {text}", style="yellow")
        for why in lesson["revalidate"]:
            words.indented(console, f"validate it again: {why}", style="red")
        console.print()
    words.origin(console, report["store"])


def _remarks(report: Data) -> Iterator[str]:
    yield verdict(report)
    yield from report["notes"]
    for lesson in report["lessons"]:
        if lesson.get("banner"):
            yield f"warning: '{lesson['id']}' is {lesson['banner']}"


VIEW = View(_rows, _render, _remarks)
