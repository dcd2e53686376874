"""What was copied to another store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(done: Data) -> Iterator[tuple[object, ...]]:
    yield "source", done["source"]
    yield "target", done["target"]
    yield from done["rows"].items()


def _render(done: Data, console: Console) -> None:
    rows = done["rows"]
    console.print(
        f"projects: {rows['projects']}, memories: {rows['memories']}, revisions: "
        f"{rows['revisions']}; all {sum(rows.values())} rows were compared"
    )
    console.print(f"from {done['source']}", style="dim", soft_wrap=True)
    console.print(f"to {done['target']}", style="dim", soft_wrap=True)


def _remarks(done: Data) -> Iterator[str]:
    yield (
        f"what is written to '{done['source']}' from now on is not in the copy; point every "
        "client to the copy"
    )


VIEW = View(_rows, _render, _remarks)
