"""One memory as `get` returns it: banner, document, what the store keeps beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(reading: Data) -> Iterator[tuple[object, ...]]:
    from project_memory.cli.views import document  # noqa: PLC0415

    yield from document.rows(reading["memory"])
    yield from document.rows({"meta": reading["meta"]})


def _render(reading: Data, console: Console) -> None:
    from project_memory.cli.views import document, words  # noqa: PLC0415

    memory, meta = reading["memory"], reading["meta"]
    more = ["archived"] if meta.get("archived_at") else []
    more += ["pinned"] if meta.get("pinned") else []
    console.print(words.heading(memory, *more))
    console.print(memory["description"], style="bold")
    console.print()
    document.render(memory, console, more=[("version", _made(meta))])
    console.print()
    words.origin(console, reading.get("store"))


def _made(meta: Data) -> str:
    parts = [f"{meta['version']}", f"by {meta['author']}" if meta.get("author") else ""]
    parts.append(f"asserted by {meta['asserted_by']}" if meta.get("asserted_by") else "")
    parts.append(f"updated {meta['updated_at']}" if meta.get("updated_at") else "")
    return ", ".join(part for part in parts if part)


def _remarks(reading: Data) -> Iterator[str]:
    if reading.get("banner"):
        yield f"warning: {reading['banner']}"
    for flag in reading.get("flags") or ():
        yield f"warning: {flag}"
    for fact in reading.get("facts") or ():
        yield (
            f"warning: fact {fact['position'] + 1} expired on {fact['expired']} and counts as an "
            f"{fact['status']}"
        )


VIEW = View(_rows, _render, _remarks)
