"""``purge``: for what should never have been stored; asks for the exact id."""

from __future__ import annotations

import sys
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import change_options, memory_argument
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.purge import VIEW
from project_memory.errors import InvalidInput


@command(
    "purge",
    output="purge",
    examples=(
        "project-memory purge sqlite-locked --dry-run",
        "project-memory purge sqlite-locked",
    ),
)
@memory_argument()
@click.option(
    "--confirm-exact-id", metavar="ID", help="The same id again, instead of being asked."
)
@click.option(
    "--leave-copies", is_flag=True, help="Leave its text where other memories hold it too."
)
@change_options
def purge(memory_id: str, *, confirm_exact_id: str | None, **change: Any) -> None:
    """Remove a memory for good, from history too.

    For secrets: neither undo nor an import brings it back, and its id stays out of use. The
    memory may be deleted already. Only a person at a terminal can do this. What is said of
    backups is of those beside the store; look for other copies and exports yourself.
    """
    with opened() as memories:
        if not change["dry_run"]:
            _confirm(memory_id, confirm_exact_id)
        emit(memories.purge(memory_id, **change), VIEW)


def _confirm(memory_id: str, given: str | None) -> None:
    if given is None and sys.stdin.isatty():
        given = click.prompt(f"type '{memory_id}' to remove it for good", err=True)
    if given != memory_id:
        shown = "nothing" if given is None else f"'{given}'"
        raise InvalidInput(
            f"{shown} confirms the purge of '{memory_id}', so nothing was removed; repeat the "
            "exact id with --confirm-exact-id"
        )
