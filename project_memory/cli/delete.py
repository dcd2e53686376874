"""``delete``: asks first."""

from __future__ import annotations

import sys
from typing import Any

import click

from project_memory.cli import neutral
from project_memory.cli.command import command
from project_memory.cli.options import change_options, if_version_option, memory_argument
from project_memory.cli.output import emit, say
from project_memory.cli.session import opened
from project_memory.cli.views.receipt import VIEW
from project_memory.errors import InvalidInput
from project_memory.model import as_json


@command(
    "delete",
    output="receipt",
    examples=(
        "project-memory delete sqlite-locked",
        "project-memory delete sqlite-locked --yes --reason 'stored by mistake'",
    ),
)
@memory_argument()
@click.option("--yes", is_flag=True, help="Do not ask.")
@if_version_option
@change_options
@click.pass_context
def delete(context: click.Context, /, memory_id: str, *, yes: bool, **change: Any) -> None:
    """Delete a memory; history keeps its text.

    Its links go too. It can come back by undo or history revert; to keep a lesson and stop
    relying on it, use status or archive instead.
    """
    with opened() as memories:
        if not (yes or change["dry_run"]):
            reading = as_json(memories.get(memory_id))
            if not _confirmed(reading["memory"]):
                say(f"'{memory_id}' is kept; nothing was changed")
                context.exit(2)
            # what is deleted must be what was shown
            change["if_version"] = change["if_version"] or reading["meta"]["version"]
        emit(memories.delete(memory_id, **change), VIEW)


def _confirmed(memory: dict[str, Any]) -> bool:
    if not sys.stdin.isatty():
        raise InvalidInput(
            f"deleting '{memory['id']}' needs a confirmation and standard input is no terminal; "
            "pass --yes"
        )
    click.echo(neutral.text(f"{memory['id']}: {memory['description']}"), err=True)
    return click.confirm("delete it?", err=True)
