"""A page of light records, for list and search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(page: Data) -> Iterator[tuple[object, ...]]:
    for light in page["memories"]:
        yield light["id"], light["status"], " ".join(light["labels"]), light["description"]


def _render(page: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    for light in page["memories"]:
        console.print(words.heading(light))
        words.indented(console, light["description"])
        if light.get("banner"):
            words.indented(console, light["banner"], style="yellow")
    if page["memories"]:
        console.print()
    words.origin(console, page.get("store"))


def _remarks(page: Data) -> Iterator[str]:
    shown, total = len(page["memories"]), page["total"]
    if total == 0:
        yield "no memory matches"
    elif page.get("next_offset") is not None:
        yield f"{shown} of {total}; go on with --offset {page['next_offset']}"


VIEW = View(_rows, _render, _remarks)
