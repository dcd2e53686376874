"""``edit``: by a patch, by fields, or in an editor that opens again until the memory is valid."""

from __future__ import annotations

import json
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.editing import merged, patched, set_fields
from project_memory.cli.editor import edit_until_stored
from project_memory.cli.options import change_options, if_version_option, memory_argument
from project_memory.cli.output import emit, say
from project_memory.cli.session import opened
from project_memory.cli.source import read_json
from project_memory.cli.views.receipt import VIEW
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
def edit(
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
            patch = merged(read_json(source) if source else {}, set_fields(fields))
            emit(memories.update(memory_id, patch, **change), VIEW)
            return
        reading = as_json(memories.get(memory_id))
        before = reading["memory"]
        # what is changed must be what was shown
        change["if_version"] = change["if_version"] or reading["meta"]["version"]
        receipts = []

        def store(edited: str) -> None:
            receipts.append(memories.update(memory_id, patched(before, edited), **change))

        text = json.dumps(before, ensure_ascii=False, indent=2) + "\n"
        if edit_until_stored(text, before["id"], store):
            emit(receipts[0], VIEW)
        else:
            say(f"'{memory_id}' is as it was; nothing was changed")
