"""``link`` and ``unlink``: both sides in one transaction."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli import complete
from project_memory.cli.command import command
from project_memory.cli.options import change_options, dry_run_option, memory_argument
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.receipt import VIEW


@command(
    "link",
    output="receipt",
    examples=(
        "project-memory link use-wal supersedes use-journal",
        (
            "project-memory link sqlite-locked related use-wal "
            "--reason 'both concern writers that wait for one another'"
        ),
    ),
)
@memory_argument("from_id", "FROM")
@click.argument("kind", metavar="KIND", shell_complete=complete.kinds)
@memory_argument("to_id", "TO")
@click.option(
    "--reason", "link_reason", metavar="TEXT", help="Why they are linked; stored with it."
)
@dry_run_option
def link(from_id: str, kind: str, to_id: str, **choices: Any) -> None:
    """Link two memories; the mirror is written too.

    KIND is related, supersedes, superseded-by, contradicts, depends-on, required-by, caused-by,
    causes, generalizes or specializes; related and contradicts need a reason.
    """
    with opened() as memories:
        emit(memories.link(from_id, kind.replace("-", "_"), to_id, **choices), VIEW)


@command(
    "unlink",
    output="receipt",
    examples=("project-memory unlink sqlite-locked related use-wal",),
)
@memory_argument("from_id", "FROM")
@click.argument("kind", metavar="KIND", shell_complete=complete.kinds)
@memory_argument("to_id", "TO")
@change_options
def unlink(from_id: str, kind: str, to_id: str, **change: Any) -> None:
    """Remove a link from both its sides."""
    with opened() as memories:
        emit(memories.unlink(from_id, kind.replace("-", "_"), to_id, **change), VIEW)
