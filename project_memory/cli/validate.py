"""``validate``: a verdict for people and for continuous integration."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

import click

from project_memory.cli import reports
from project_memory.cli.command import command
from project_memory.cli.session import opened

if TYPE_CHECKING:  # validation is imported when it runs
    from project_memory.app import Report


@command(
    "validate",
    output="validate",
    examples=(
        "project-memory validate",
        "project-memory validate .project-memory --format github",
        "project-memory validate sqlite:///team.db --json",
    ),
)
@click.argument("target", required=False, metavar="[PATH|URL]")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(reports.WRITERS)),
    default="text",
    show_default=True,
    help="How the report is written.",
)
@click.pass_context
def validate(context: click.Context, target: str | None, form: str) -> None:
    """Report every problem of a store or folder.

    PATH is a folder or a .json file as export writes them, which need no store, or a store;
    without it, the project at hand is validated. Exit status 1 means that an error was found.
    """
    report = _report(target)
    reports.WRITERS[form](report)
    context.exit(0 if report.ok else 1)


def _report(target: str | None) -> Report:
    if target is not None and (Path(target).is_dir() or target.endswith(".json")):
        from project_memory.app import validate_directory  # noqa: PLC0415

        # every document lives to the end; looking for dead ones on the way costs a fifth
        gc.disable()
        try:
            return validate_directory(Path(target))
        finally:
            gc.enable()
    with opened(target) as memories:
        return memories.validate()
