"""Counters of use, a row for each memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console

_COUNTERS = ("surfaced", "surfaced_direct", "applied", "wrong", "days")


def _rows(report: Data) -> Iterator[tuple[object, ...]]:
    for row in report["memories"]:
        total = row["total"]
        counts = (total[name] for name in _COUNTERS)
        yield row["id"], row["tier"], *counts, total.get("last_seen", "")


def _render(report: Data, console: Console) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(overflow="fold")
    heads = ("tier", *(name.replace("surfaced_", "") for name in _COUNTERS))
    for _ in heads:
        table.add_column(justify="right")
    table.add_row("", *(Text(head, style="dim") for head in heads), Text("last", style="dim"))
    for name, *counts in _rows(report):
        table.add_row(words.named(str(name)), *(str(count) for count in counts))
    if report["memories"]:
        console.print(table)
    words.origin(console, report["store"])


def _remarks(report: Data) -> Iterator[str]:
    shown, count = len(report["memories"]), report["count"]
    asked = report["questions"]
    yield f"{asked} {'question' if asked == 1 else 'questions'} asked in all"
    if shown < count:
        yield f"{shown} of {count} memories; --limit and --offset show the others"


VIEW = View(_rows, _render, _remarks)
