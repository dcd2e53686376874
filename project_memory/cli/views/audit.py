"""The findings of an audit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN = 12
"""Findings of one check that a person is shown at once."""

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
        shown = (finding[name] for name in ("severity", "code", "subject", "message"))
        yield (*shown, finding.get("action", {}).get("operation", ""), *_fate(report, finding))


def _render(report: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    kinds = groupby(report["findings"], key=lambda f: (f["severity"], f["code"]))
    for (severity, code), findings in kinds:
        console.print(Text(severity, style=_STYLES[severity]).append(f"  {code}", style="bold"))
        listed = list(findings)
        for finding in listed[:_SHOWN]:
            line = f"{finding['subject']}  {finding['message']}"
            words.indented(console, "  ".join((line, *filter(None, _fate(report, finding)))))
        if len(listed) > _SHOWN:
            more = f"and {len(listed) - _SHOWN} more; --json and pipes give all"
            words.indented(console, more, style="dim")
    words.origin(console, report["store"])


def _remarks(report: Data) -> Iterator[str]:
    yield verdict(report)
    yield from report["notes"]
    fresh = sum(finding["is_new"] for finding in report["findings"])
    gone = len(report["resolved"])
    if fresh or gone:
        yield f"{fresh} found for the first time, {gone} resolved since the last audit"
    if "applied" in report:
        yield from _applied(report["applied"])


def _fate(report: Data, finding: Data) -> tuple[str, ...]:
    """Return what becomes of a finding's action; nothing where none was asked for."""
    if "applied" not in report:
        return ()
    if finding not in report["applied"]["findings"]:
        return ("",)
    receipt = report["applied"]["receipt"]
    done = "proposed" if receipt["proposals"] else "applied"
    return (f"would be {done}" if receipt["dry_run"] else done,)


def _applied(applied: Data) -> Iterator[str]:
    number, receipt = len(applied["findings"]), applied["receipt"]
    actions = f"{number} action{'s' * (number != 1)}"
    if receipt["dry_run"]:
        yield f"dry run: nothing was changed; --apply --yes applies {actions}"
    else:
        yield f"{actions} {'proposed' if receipt['proposals'] else 'applied'}"
    yield from receipt["notes"] if number else ()
    if "undo" in applied:
        yield f"to take it back: {applied['undo']}"
    if applied["left"]:
        limit = applied["limit"]
        yield f"{applied['left']} left for another audit; at most {limit} at once (--max-actions)"


VIEW = View(_rows, _render, _remarks)
