"""Counts of what a project holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(stats: Data) -> Iterator[tuple[object, ...]]:
    for name, value in stats.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{key}", item) for key, item in value.items())
        elif isinstance(value, list):
            yield name, " ".join(map(str, value))
        else:
            yield name, value


def _render(stats: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    counts = {name: value for name, value in stats.items() if name != "store"}
    # a status needs no heading beside its number
    names = ((str(name).rpartition(".")[2], value) for name, value in _rows(counts))
    words.fields(console, ((name.replace("_", " "), str(value)) for name, value in names))
    words.origin(console, stats.get("store"))


VIEW = View(_rows, _render)
