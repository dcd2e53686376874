"""``stats``: how much there is."""

from __future__ import annotations

from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.stats import VIEW


@command(
    "stats",
    output="stats",
    examples=("project-memory stats", "project-memory stats --json"),
)
def stats() -> None:
    """Count what the project holds."""
    with opened() as memories:
        emit(memories.stats(), VIEW)
