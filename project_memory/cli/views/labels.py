"""The registry of labels by prefix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(found: Data) -> Iterator[tuple[object, ...]]:
    for group in found["groups"]:
        for label in group["labels"]:
            aliases = " ".join(label.get("aliases") or ())
            yield (
                label["label"],
                label.get("count", ""),
                label.get("description", ""),
                aliases,
                label.get("broader", ""),
                _standing(label),
            )


def _render(found: Data, console: Console) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    for group in found["groups"]:
        single = "  one a memory" if group.get("single") else ""
        console.print(Text(f"{group['prefix']}:", style="bold").append(single, style="dim"))
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(justify="right", style="dim")
        for label in group["labels"]:
            style = "strike dim" if label.get("deprecated") else "cyan"
            count = label.get("count")
            name = Text(f"  {label['label']}", style=style)
            table.add_row(name, "" if count is None else str(count), _about(label))
        console.print(table)
    words.origin(console, found.get("store"))


def _about(label: Data) -> str:
    parts = [label.get("description", "")]
    parts.append(f"also {', '.join(label['aliases'])}" if label.get("aliases") else "")
    parts.append(f"under {label['broader']}" if label.get("broader") else "")
    parts.append(_standing(label))
    return "; ".join(part for part in parts if part)


def _standing(label: Data) -> str:
    if not label.get("deprecated"):
        return ""
    instead = label.get("replaced_by")
    return f"deprecated, use {instead}" if instead else "deprecated"


VIEW = View(_rows, _render)
