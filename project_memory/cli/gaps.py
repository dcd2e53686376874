"""``gaps``: what was asked and not answered, in groups."""

from __future__ import annotations

from typing import Any

from project_memory.cli.command import command
from project_memory.cli.options import window_options
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.gaps import VIEW


@command(
    "gaps", output="gaps", examples=("project-memory gaps", "project-memory gaps --limit 5 --json")
)
@window_options(20)
def gaps(**window: Any) -> None:
    """Show what recall did not help with.

    Questions that found nothing relevant, or of whose direct hits none was applied by a process
    that applied others, in groups that share words; the most noted come first. Their text is kept
    without secrets, and not at all with project-memory project set questions=off. Off a terminal
    a line holds: terms, different questions, unanswered, unapplied, first day, last day, example.
    """
    with opened() as memories:
        emit(memories.gaps(**window), VIEW)
