"""What background work has found for the first time, and what is resolved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(report: Data) -> Iterator[tuple[object, ...]]:
    for finding in report["new"]:
        shown = (finding[name] for name in ("severity", "code", "subject", "message"))
        yield "new", *shown
    for gone in report["resolved"]:
        yield "resolved", "", gone["code"], gone["subject"], ""


def _render(report: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    for state, _, code, subject, message in _rows(report):
        words.indented(console, f"{state}  {code}  {subject}  {message}".rstrip())
    words.origin(console, report["store"])


def _remarks(report: Data) -> Iterator[str]:
    new, gone = len(report["new"]), len(report["resolved"])
    yield f"{report['time']}: {new} found for the first time, {gone} resolved"


VIEW = View(_rows, _render, _remarks)
