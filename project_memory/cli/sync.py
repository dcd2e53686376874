"""``sync``: a folder and the project say the same, whichever side changed what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import change_options
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views import sync as views


@command(
    "sync",
    output="sync",
    examples=(
        "project-memory sync .project-memory --dry-run",
        "project-memory sync .project-memory --prune",
    ),
)
@click.argument("path", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--prune", is_flag=True, help="Delete memories whose file was taken away, too.")
@change_options
@click.pass_context
def sync(context: click.Context, /, path: Path, **choices: Any) -> None:
    """Bring a folder and the project to say the same.

    What one side changed since the last time, the other takes; what both changed is merged field
    by field. Where both changed one field, the store's side stays, the folder's is kept beside it
    as ID.conflict.json, and the exit status is 1 until you have settled it and removed that file.
    A file that was taken away comes back unless you pass --prune.
    """
    with opened() as memories:
        report = memories.sync(path, **choices)
    emit(report, views.VIEW)
    context.exit(0 if report.passed else 1)
