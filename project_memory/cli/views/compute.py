"""What background work has found for the first time, what is resolved, and how each job is."""

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
    for job in report["jobs"]:
        if job["failures"]:
            yield f"warning: {job['kind']} fails, next try {job['due_at']}: {job['error']}"
        elif job["state"] == "running":
            yield f"{job['kind']} was left to '{job['worker']}', who is at it"


_CELLS = ("kind", "project", "state", "started_at", "succeeded_at", "due_at", "failures", "error")


def _listed_rows(report: Data) -> Iterator[tuple[object, ...]]:
    for job in report["jobs"]:
        yield tuple(job.get(name, "") for name in _CELLS)


def _render_listed(report: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    for job in report["jobs"]:
        where = f" of {job['project']}" if "project" in job else ""
        last = f", last done {job['succeeded_at']}" if "succeeded_at" in job else ""
        words.indented(console, f"{job['kind']}{where}: {job['state']}{last}")
        if job["failures"]:
            said = f"failed {words.count(job['failures'], 'time')} since {job['failing_since']}"
            words.indented(console, f"  {said}: {job['error']}", style="red")
    words.origin(console, report["store"])


VIEW = View(_rows, _render, _remarks)
LISTED = View(_listed_rows, _render_listed)
