"""``add``: a memory from a file, standard input or options."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.draft import draft, draft_options
from project_memory.cli.options import change_options
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.source import read_json
from project_memory.cli.views.receipt import VIEW


@command(
    "add",
    output="receipt",
    examples=(
        "project-memory add lesson.json",
        "project-memory add - --dry-run < lesson.json",
        (
            "project-memory add --description 'Tests hang when port 8080 is taken' "
            "--label kind:bug --fact 'the fixture waits for the port without a timeout'"
        ),
        "project-memory add lesson.json --allow-duplicate --json",
    ),
)
@click.argument("file", required=False, metavar="[FILE]", type=click.Path(allow_dash=True))
@draft_options
@click.option("--allow-duplicate", is_flag=True, help="Store it though the same text is stored.")
@change_options
def add(
    *,
    file: str | None,
    allow_duplicate: bool,
    dry_run: bool,
    reason: str | None,
    **given: Any,
) -> None:
    """Store a memory.

    FILE holds a draft as JSON, of which description, labels and remembered_facts are required;
    - reads it from standard input. Instead of FILE, options say the same; those that name one
    of several things may be repeated.
    """
    made = draft(given)
    if bool(made) == bool(file):
        raise click.UsageError(
            "give either FILE or the options that describe the memory", click.get_current_context()
        )
    memory = read_json(file) if file else made
    with opened() as memories:
        receipt = memories.create(
            memory, allow_duplicate=allow_duplicate, dry_run=dry_run, reason=reason
        )
    emit(receipt, VIEW)
