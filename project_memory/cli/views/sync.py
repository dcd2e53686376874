"""What a synchronisation did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console

_CHANGES = ("taken", "deleted", "restored", "removed", "waiting")


def _rows(report: Data) -> Iterator[tuple[object, ...]]:
    for change in _CHANGES:
        for name in report[change]:
            yield name, change
    for conflict in report["conflicts"]:
        yield conflict["id"], "conflict", conflict["file"]


def _render(report: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    told = [f"{len(report[change])} {change}" for change in _CHANGES if report[change]]
    files = words.count(report["files_changed"], "file")
    console.print(f"{report['path']}: {', '.join([*told, f'{files} written'])}")
    for conflict in report["conflicts"]:
        console.print(f"conflict in {conflict['id']}: see {conflict['file']}")


def _remarks(report: Data) -> Iterator[str]:
    if report["receipt"]["dry_run"]:
        yield "dry run: nothing was changed"
    for conflict in report["conflicts"]:
        fields = f" ({', '.join(conflict['fields'])})" if conflict["fields"] else ""
        yield (
            f"warning: '{conflict['id']}' was {conflict['because']}{fields}; the folder's side is "
            f"in {conflict['file']}: take from it what is right, and remove it"
        )
    for file in report["unsettled"]:
        yield f"warning: {file} still waits: take from it what is right, and remove it"
    for name in report["waiting"]:
        yield f"what the folder says of '{name}' waits for a person to decide"
    yield from report["repairs"]


VIEW = View(_rows, _render, _remarks)
