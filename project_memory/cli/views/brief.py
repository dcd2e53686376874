"""What to know at the start of work, as the text that an agent is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(brief: Data) -> Iterator[tuple[str]]:
    for line in brief["text"].splitlines():
        yield (line,)


def _render(brief: Data, console: Console) -> None:
    for line in brief["text"].splitlines():
        console.print(line, soft_wrap=True)


VIEW = View(_rows, _render)
