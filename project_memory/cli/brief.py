"""``brief``: what to know at the start of work."""

from __future__ import annotations

import click

from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT
from project_memory.cli.session import opened
from project_memory.cli.views.brief import VIEW


@command(
    "brief",
    output="brief",
    examples=("project-memory brief", "project-memory brief --max-tokens 800 --json"),
)
@click.option("--max-tokens", type=COUNT, metavar="N", help="Stop when it is about this long.")
def brief(max_tokens: int | None) -> None:
    """Say what to know at the start of work.

    Standing rules come first, whatever is worked on; those that do not fit are named. Then the
    most central memories, the latest, and pitfalls. The text stands between markers that no
    memory can close, to be handed to an agent as it is.
    """
    with opened() as memories:
        emit(memories.brief(max_tokens=max_tokens), VIEW)
