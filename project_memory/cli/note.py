"""``note``: a thought for the inbox."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import dry_run_option
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.source import read_words
from project_memory.cli.views.receipt import VIEW


@command(
    "note",
    output="receipt",
    examples=(
        "project-memory note the fixture hangs when port 8080 is taken",
        "project-memory note - < thoughts.txt",
    ),
)
@click.argument("text", nargs=-1, required=True, metavar="TEXT...")
@dry_run_option
def note(text: tuple[str, ...], **choices: Any) -> None:
    """Write down a thought, to be made a memory later.

    TEXT is kept as it is (- reads standard input) and waits in the inbox; `review apply` makes a
    memory of it.
    """
    with opened() as memories:
        emit(memories.note(read_words(text), **choices), VIEW)
