"""``show``: one memory whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import memory_argument
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT
from project_memory.cli.session import PATIENCE, opened
from project_memory.cli.views.memory import VIEW


@command(
    "show",
    output="show",
    examples=(
        "project-memory show sqlite-locked",
        "project-memory show sqlite-locked --version 2",
        "project-memory show sqlite-locked --as-of 2026-03-01 --json",
    ),
)
@memory_argument()
@click.option("--version", type=COUNT, metavar="N", help="As this version left it.")
@click.option("--as-of", metavar="TIME", help="As it was at this UTC date or time.")
def show(memory_id: str, **moment: Any) -> None:
    """Show one memory, as it is or was."""
    with opened() as memories:
        memories.look_at(Path(), patience=PATIENCE)
        emit(memories.get(memory_id, **moment), VIEW)
