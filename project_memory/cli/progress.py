"""A bar on stderr for work that takes long, where a person watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from project_memory.cli.settings import settings

if TYPE_CHECKING:  # rich costs 60 ms, and only long work on a terminal needs it
    from rich.progress import Progress

_PATIENCE = 0.5
"""Seconds that nothing is drawn for."""


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """Yield what to tell how much is done, and of how much; the bar is gone in the end.

    Off a terminal, with `--quiet`, and where the work is soon done, nothing is drawn.
    """
    if settings().quiet or not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    start = time.monotonic()
    with ExitStack() as stack:
        bars: list[Progress] = []

        def tell(done: int, of: int) -> None:
            if not bars and time.monotonic() - start >= _PATIENCE:
                bars.append(stack.enter_context(_bar()))
                bars[0].add_task(title)
            for bar in bars:
                bar.update(bar.task_ids[0], completed=done, total=of)

        yield tell


def _bar() -> Progress:
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)
