"""``usage``: how often each memory was brought, and what was said of it."""

from __future__ import annotations

from typing import Any

from project_memory.cli.command import command
from project_memory.cli.options import window_options
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.usage import VIEW


@command(
    "usage",
    output="usage",
    examples=("project-memory usage", "project-memory usage --limit 500 --json"),
)
@window_options(50)
def usage(**window: Any) -> None:
    """Count what recall brought, and what helped.

    The most brought memories come first. A memory surfaced directly where the rarer words of the
    question are its own. Counts never change a rank or a status; retention reads those of the
    present tier. Off a terminal a line holds: id, tier, surfaced, surfaced directly, applied,
    wrong, days seen, last day.
    """
    with opened() as memories:
        emit(memories.usage(**window), VIEW)
