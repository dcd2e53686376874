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

    pairs = ((str(name).replace("_", " "), str(value)) for name, value in _rows(stats))
    words.fields(console, pairs)


VIEW = View(_rows, _render)
