"""``edit``: by a patch, by fields, or in an editor that opens again until the memory is valid."""

from __future__ import annotations

import json
from typing import Any

import click

from project_memory.cli import neutral
from project_memory.cli.command import command
from project_memory.cli.editing import patched, set_fields
from project_memory.cli.options import change_options, if_version_option, memory_argument
from project_memory.cli.output import emit, say
from project_memory.cli.session import opened
from project_memory.cli.source import read_json
from project_memory.cli.views.receipt import VIEW
from project_memory.errors import InvalidInput, ProjectMemoryError
from project_memory.model import as_json


@command(
    "edit",
    output="receipt",
    examples=(
        "project-memory edit sqlite-locked",
        "project-memory edit sqlite-locked --patch patch.json --if-version 3",
        "project-memory edit sqlite-locked --set 'pitfalls=[\"a timeout hides it\"]'",
    ),
)
@memory_argument()
@click.option(
    "--patch", "source", metavar="FILE", help="A JSON merge patch; - reads standard input."
)
@click.option("--set", "fields", multiple=True, metavar="FIELD=JSON", help="Set one field.")
@if_version_option
@change_options
@click.pass_context
def edit(
    context: click.Context,
    /,
    memory_id: str,
    *,
    source: str | None,
    fields: tuple[str, ...],
    **change: Any,
) -> None:
    """Change a memory in an editor, or by a patch.

    Without --patch and --set the memory opens in $EDITOR as JSON, and opens again while it is
    not valid. Links are only added; unlink takes one away.
    """
    with opened() as memories:
        if source or fields:
            patch = {**(read_json(source) if source else {}), **set_fields(fields)}
            emit(memories.update(memory_id, patch, **change), VIEW)
            return
        reading = as_json(memories.get(memory_id))
        change["if_version"] = change["if_version"] or reading["meta"]["version"]
        text = json.dumps(reading["memory"], ensure_ascii=False, indent=2) + "\n"
        while True:
            edited = click.edit(text, extension=".json")
            if edited is None:
                say(f"'{memory_id}' is as it was; nothing was changed")
                return
            try:
                patch = patched(reading["memory"], edited)
                emit(memories.update(memory_id, patch, **change), VIEW)
            except ProjectMemoryError as error:
                click.echo(neutral.text(str(error)), err=True)
                if not _again():
                    context.exit(2)
                text = edited
            else:
                return


def _again() -> bool:
    try:
        return click.confirm("edit it again?", default=True, err=True)
    except click.Abort as error:
        raise InvalidInput("the memory is as it was; nothing was changed") from error
