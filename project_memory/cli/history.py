"""``history``: what happened, and taking it back; ``undo`` stands at the top level too."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli import complete
from project_memory.cli.command import Group, command
from project_memory.cli.options import change_options, memory_argument
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT
from project_memory.cli.session import opened
from project_memory.cli.views import history as views
from project_memory.cli.views.receipt import VIEW as RECEIPT

history = Group(
    "history",
    default="list",
    help="See, compare and revert changes.",
    examples=("project-memory history list", "project-memory history show 12"),
)


@history.command_from
@command(
    "list",
    output="history-list",
    examples=(
        "project-memory history list",
        "project-memory history list sqlite-locked --limit 5",
    ),
)
@click.argument("memory_id", metavar="[ID]", required=False, shell_complete=complete.memory_ids)
@click.option(
    "--limit", type=COUNT, default=20, show_default=True, metavar="N", help="Return at most N."
)
def list_(memory_id: str | None, *, limit: int) -> None:
    """List revisions, newest first, of the project or of one memory."""
    with opened() as memories:
        emit(memories.history(memory_id, limit=limit), views.LIST)


@history.command_from
@command(
    "show",
    output="history-show",
    examples=("project-memory history show 12",),
)
@click.argument("number", metavar="REVISION", type=COUNT)
def show(number: int) -> None:
    """Show what one revision changed."""
    with opened() as memories:
        emit(memories.revision(number), views.SHOW)


@history.command_from
@command(
    "diff",
    output="history-diff",
    examples=(
        "project-memory history diff sqlite-locked 1",
        "project-memory history diff sqlite-locked 1 3 --json",
    ),
)
@memory_argument()
@click.argument("old", metavar="OLD", type=COUNT)
@click.argument("new", metavar="[NEW]", type=COUNT, required=False)
def diff(memory_id: str, old: int, new: int | None) -> None:
    """Compare two versions of a memory; NEW is the present one if left out."""
    with opened() as memories:
        emit(memories.diff(memory_id, old=old, new=new), views.DIFF)


@history.command_from
@command(
    "revert",
    output="receipt",
    examples=("project-memory history revert sqlite-locked 2 --reason 'that edit was wrong'",),
)
@memory_argument()
@click.argument("version", metavar="VERSION", type=COUNT)
@change_options
def revert(memory_id: str, version: int, **change: Any) -> None:
    """Put a memory's text back to one of its versions, as a further change."""
    with opened() as memories:
        emit(memories.revert(memory_id, version=version, **change), RECEIPT)


@history.command_from
@command(
    "undo",
    output="receipt",
    examples=("project-memory undo", "project-memory history undo --revision 12 --dry-run"),
)
@click.option("--revision", type=COUNT, metavar="N", help="This revision, instead of your last.")
@change_options
def undo(**choices: Any) -> None:
    """Take back your last change."""
    with opened() as memories:
        emit(memories.undo(**choices), RECEIPT)
