"""The registry as a tree, with counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(found: Data) -> Iterator[tuple[object, ...]]:
    for label in found["labels"]:
        yield (
            label["label"],
            label["depth"],
            label["count"],
            label["total"],
            label["description"],
            "deprecated" if label["deprecated"] else "",
        )


def _render(found: Data, console: Console) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(justify="right")
    table.add_column(style="dim")
    table.add_column()
    for label in found["labels"]:
        below = label["total"] - label["count"]
        table.add_row(
            Text(
                "  " * label["depth"] + label["label"],
                style="strike dim" if label["deprecated"] else "cyan",
            ),
            str(label["count"]),
            f"{label['total']} with those below" if below else "",
            Text(label["description"]),
        )
    console.print(table)
    words.origin(console, found.get("store"))


VIEW = View(_rows, _render)
