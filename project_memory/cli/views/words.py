"""Small pieces that several views share: an entry's heading, a column of fields, where from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from project_memory.cli.output import Data

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

STATUS_STYLE = {
    "active": "green",
    "stale": "yellow",
    "superseded": "magenta",
    "wrong": "red",
    "archived": "blue",
}


def heading(record: Data, *more: str) -> Text:
    """Return one line: id, status unless active, labels, and whatever else matters."""
    line = named(record["id"])
    status = record.get("status") or "active"
    if status != "active":
        line.append(f"  {status}", style=STATUS_STYLE.get(status, ""))
    for word in more:
        line.append(f"  {word}", style="yellow")
    labels = record.get("labels") or ()
    if labels:
        line.append("  " + " ".join(labels), style="dim")
    return line


def named(memory_id: object) -> Text:
    """Return the id of a memory as the start of a line; what is appended has its own style."""
    return Text().append(str(memory_id), style="bold cyan")


def indented(console: Console, text: str, *, style: str = "") -> None:
    """Print a paragraph two columns in."""
    inset(console, Text(text, style=style), 2)


def inset(console: Console, what: RenderableType, columns: int) -> None:
    """Print something this many columns in, without blanks at the ends of lines."""
    console.print(Padding(what, (0, 0, 0, columns), expand=False))


def flowing(console: Console, parts: Sequence[Text], indent: int) -> None:
    """Print parts beside each other, and where one does not fit, go on in an indented line.

    No part is broken: an id that is cut in two cannot be copied.
    """
    line = Text()
    for part in parts:
        if line and line.cell_len + 2 + part.cell_len > console.width:
            console.print(line, soft_wrap=True)
            line = Text(" " * indent)
        elif line:
            line.append("  ")
        line.append_text(part)
    console.print(line, soft_wrap=True)


def fields(console: Console, pairs: Iterable[tuple[str, Text | str]], *, indent: int = 0) -> None:
    """Print names and values in two columns; a repeated name is printed once."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    last = ""
    for name, value in pairs:
        table.add_row("" if name == last else name, value)
        last = name
    if table.row_count:
        inset(console, table, indent)


def origin(console: Console, store: Data | None) -> None:
    """Print which store and project answered."""
    if store:
        words = f"project {store['project']}, revision {store['revision']}, {store['url']}"
        console.print(Text(words, style="dim"))


def few(names: Sequence[str], most: int = 8) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return " ".join(names[:most]) + more


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, ``1 memory`` or ``3 memories``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
