"""``sync``: a folder and the project say the same, whichever side changed what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from project_memory.cli.boundary import explain
from project_memory.cli.boundary import report as tell
from project_memory.cli.command import command
from project_memory.cli.options import change_options
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.settings import settings
from project_memory.cli.views import sync as views
from project_memory.errors import InvalidInput, ProjectMemoryError

if TYPE_CHECKING:
    from project_memory.app import ProjectMemory


@command(
    "sync",
    output="sync",
    examples=(
        "project-memory sync .project-memory --dry-run",
        "project-memory sync .project-memory --prune",
        "project-memory sync .project-memory --watch",
    ),
)
@click.argument("path", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--prune", is_flag=True, help="Delete memories whose file was taken away, too.")
@click.option(
    "--watch", is_flag=True, help="Do it again whenever either side has changed, until Ctrl-C."
)
@change_options
@click.pass_context
def sync(context: click.Context, /, path: Path, *, watch: bool, **choices: Any) -> None:
    """Bring a folder and the project to say the same.

    What one side changed since the last time, the other takes; what both changed is merged field
    by field. Where both changed one field, the store's side stays, the folder's is kept beside it
    as ID.conflict.json, and the exit status is 1 until you have settled it and removed that file.
    A file that was taken away comes back unless you pass --prune. With --watch, an error ends
    only the turn that it is of, and with --json each turn that changed something is one JSON
    document.
    """
    if watch and choices["dry_run"]:
        raise InvalidInput("--watch does what --dry-run only tells; name one of the two")
    with opened() as memories:
        report = memories.sync(path, **choices)
        emit(report, views.VIEW)
        if watch:
            _watch(memories, path, choices)
    context.exit(0 if report.passed else 1)


def _watch(memories: ProjectMemory, path: Path, choices: dict[str, Any]) -> None:
    from project_memory.cli.watching import moments  # noqa: PLC0415  # an extra

    for _ in moments(path, lambda: memories.history(limit=1).store.revision):
        try:
            report = memories.sync(path, **choices)
        except ProjectMemoryError as error:
            tell(explain(error), as_document=settings().json)
            continue
        if report.files_changed or report.removed or report.receipt.memories or report.conflicts:
            emit(report, views.VIEW)
