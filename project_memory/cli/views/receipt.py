"""What a mutation changed, or would change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(receipt: Data) -> Iterator[tuple[object, ...]]:
    for touched in receipt["memories"]:
        yield (
            touched["id"],
            touched["change"],
            touched["version"],
            touched.get("status", ""),
            touched.get("previous_id", ""),
        )
    for label in receipt["labels"]:
        yield label, "label"


def _render(receipt: Data, console: Console) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views.words import STATUS_STYLE  # noqa: PLC0415

    table = Table.grid(padding=(0, 2, 0, 0))
    for touched in receipt["memories"]:
        status = touched.get("status", "")
        before = touched.get("previous_id")
        table.add_row(
            Text(touched["change"], style="green"),
            Text(touched["id"], style="bold cyan").append(f"  was {before}" if before else ""),
            Text(f"version {touched['version']}", style="dim"),
            Text(status, style=STATUS_STYLE.get(status, "")),
        )
    for label in receipt["labels"]:
        table.add_row(Text("label", style="green"), Text(label, style="bold cyan"), "", "")
    if table.row_count:
        console.print(table)
    console.print(_where(receipt), style="dim")


def _where(receipt: Data) -> str:
    if receipt["dry_run"]:
        return f"dry run: nothing changed in project {receipt['project']}"
    return f"project {receipt['project']}, revision {receipt['revision']}"


def _remarks(receipt: Data) -> Iterator[str]:
    if receipt["dry_run"]:
        yield "dry run: nothing was changed"
    yield from receipt["notes"]
    for problem in receipt["warnings"]:
        yield f"warning: {problem['path']}: {problem['message']} [{problem['code']}]"


VIEW = View(_rows, _render, _remarks)
