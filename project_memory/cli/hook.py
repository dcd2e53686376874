"""``hook``: what agent clients run at the events of a session."""

from __future__ import annotations

import click

from project_memory.cli.command import command
from project_memory.cli.settings import settings
from project_memory.hooks import Call


@command(
    "hook",
    examples=(
        "project-memory hook session-start",
        "project-memory hook prompt",
        "project-memory hook session-end",
    ),
)
@click.argument("event", metavar="EVENT")
def hook(event: str) -> None:
    """Tell an agent's session what it should know; for agent clients to run.

    EVENT is session-start, prompt or session-end. What the client sends is read from standard
    input, as JSON; what the session is told goes to standard output, as JSON, or nothing. The
    exit status is always 0. setup --hooks lets Claude Code and Codex run it.
    """
    from project_memory.hooks import running  # noqa: PLC0415

    running.run(Call(event, settings().store, settings().project))
