"""``neighborhood``: the memories around one."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import memory_argument
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT
from project_memory.cli.session import opened
from project_memory.cli.views.neighborhood import VIEW


@command(
    "neighborhood",
    output="neighborhood",
    examples=(
        "project-memory neighborhood sqlite-locked",
        "project-memory neighborhood sqlite-locked --depth 2 --json",
    ),
)
@memory_argument()
@click.option(
    "--depth",
    type=COUNT,
    default=1,
    show_default=True,
    metavar="N",
    help="Follow N links, 1 to 4.",
)
@click.option(
    "--max-nodes",
    type=COUNT,
    default=25,
    show_default=True,
    metavar="N",
    help="Return at most N memories.",
)
def neighborhood(memory_id: str, **bounds: Any) -> None:
    """Show what a memory is linked to."""
    with opened() as memories:
        emit(memories.neighborhood(memory_id, **bounds), VIEW)
