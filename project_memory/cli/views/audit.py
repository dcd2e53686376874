"""The findings of an audit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {"error": "bold red", "warning": "yellow", "note": "blue"}


def verdict(report: Data) -> str:
    """Return the summary: how much was looked at, how much was found."""
    found = ", ".join(
        f"{count} {severity}{'s' * (count != 1)}" for severity, count in report["counts"].items()
    )
    memories = "memory" if report["checked"] == 1 else "memories"
    return f"{report['checked']} {memories} audited: {found}"


def _rows(report: Data) -> Iterator[tuple[object, ...]]:
    for finding in report["findings"]:
        action = finding.get("action", {}).get("operation", "")
        yield (
            finding["severity"],
            finding["code"],
            finding["subject"],
            finding["message"],
            action,
        )


def _render(report: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    kinds = groupby(report["findings"], key=lambda f: (f["severity"], f["code"]))
    for (severity, code), findings in kinds:
        console.print(Text(severity, style=_STYLES[severity]).append(f"  {code}", style="bold"))
        for finding in findings:
            words.indented(console, f"{finding['subject']}  {finding['message']}")
    words.origin(console, report["store"])


def _remarks(report: Data) -> Iterator[str]:
    yield verdict(report)
    fresh = sum(finding["first_seen"] == report["time"] for finding in report["findings"])
    gone = len(report["resolved"])
    if fresh or gone:
        yield f"{fresh} found for the first time, {gone} resolved since the last audit"


VIEW = View(_rows, _render, _remarks)
