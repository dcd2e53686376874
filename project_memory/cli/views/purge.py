"""What a purge removed, or would remove."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console

_LISTS = ("ids", "unlinked", "rewritten", "proposals", "elsewhere", "copies")


def _rows(report: Data) -> Iterator[tuple[object, ...]]:
    for name in _LISTS:
        for item in report[name]:
            yield name, item


def _render(report: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    counts = {
        "ids": "out of use",
        "unlinked": "no longer linked",
        "rewritten": "revisions rewritten",
        "proposals": "proposals emptied",
        "elsewhere": "other projects cleared",
        "copies": "copies left alone",
    }
    lists = ((counts[name], [str(item) for item in report[name]]) for name in _LISTS)
    words.fields(console, ((name, words.few(items)) for name, items in lists if items))


def _remarks(report: Data) -> Iterator[str]:
    if report["dry_run"]:
        yield "dry run: nothing was removed"
    else:
        yield f"'{report['id']}' is gone for good, and its text from history"
        yield "what was exported or copied elsewhere is not known to the store"
    for sentence in report["remains"]:
        yield f"warning: {sentence}"


VIEW = View(_rows, _render, _remarks)
