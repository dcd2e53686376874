"""What a memory is linked to, as a tree by distance with the links that lead there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(found: Data) -> Iterator[tuple[object, ...]]:
    for node in found["nodes"]:
        yield node["id"], node["distance"], node["status"], node["description"]


def _render(found: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    for node in found["nodes"]:
        indent = 4 * node["distance"]
        words.inset(console, words.heading(node), indent)
        words.inset(console, Text(node["description"]), indent + 2)
        for edge in found["edges"]:
            if node["id"] == edge["from_id"]:
                line = Text().append(f"{edge['kind'].replace('_', ' ')} ", style="dim")
                line.append(edge["to_id"], style="cyan")
                line.append(f"  {edge['reason']}" if edge.get("reason") else "")
                words.inset(console, line, indent + 2)
    console.print()
    words.origin(console, found.get("store"))


def _remarks(found: Data) -> Iterator[str]:
    if found["omitted"]:
        yield f"{found['omitted']} more left out; see them with a larger --max-nodes"
    for node in found["nodes"]:
        if node.get("banner"):
            yield f"warning: '{node['id']}' is {node['banner']}"


VIEW = View(_rows, _render, _remarks)
