"""Gaps, a row for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console

_COUNTS = ("questions", "unanswered", "unapplied")
_DAYS = ("first_day", "last_day")


def _rows(report: Data) -> Iterator[tuple[object, ...]]:
    for gap in report["gaps"]:
        told = (gap[name] for name in (*_COUNTS, *_DAYS))
        yield " ".join(gap["terms"]), *told, gap["example"]


def _render(report: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    for gap in report["gaps"]:
        console.print(Text(" ".join(gap["terms"]) or gap["example"], style="bold"))
        count, *noted = (f"{gap[name]} {name}" for name in _COUNTS)
        counts = ", ".join([count.removesuffix("s") if gap["questions"] == 1 else count, *noted])
        console.print(Text(f"  {counts}; {gap['first_day']} to {gap['last_day']}", style="dim"))
        console.print(Text(f"  {gap['example']}"))
    words.origin(console, report["store"])


def _remarks(report: Data) -> Iterator[str]:
    shown, count = len(report["gaps"]), report["count"]
    if not report["keeping"]:
        yield "questions are not kept; `project-memory project set questions=` keeps them"
    if report["questions"] >= report["most"]:
        yield f"no more than {report['most']} questions are kept; the least noted are dropped"
    if shown < count:
        yield f"{shown} of {count} gaps; --limit and --offset show the others"


VIEW = View(_rows, _render, _remarks)
