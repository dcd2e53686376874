"""``validate``: a verdict for people and for continuous integration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from project_memory.cli import reports
from project_memory.cli.command import command
from project_memory.cli.session import opened
from project_memory.errors import InvalidInput

if TYPE_CHECKING:  # validation is imported when it runs
    from project_memory.app import Report


@command(
    "validate",
    output="validate",
    examples=(
        "project-memory validate",
        "project-memory validate .project-memory --format github",
        "project-memory validate .project-memory --staged",
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
@click.option(
    "--staged", is_flag=True, help="Check the folder as the next git commit will hold it."
)
@click.pass_context
def validate(context: click.Context, target: str | None, *, form: str, staged: bool) -> None:
    """Report every problem of a store or folder.

    PATH is a folder or a .json file as export writes them, or a file of one memory, which need no
    store, or a store; without it, the project at hand is validated. Exit status 1 means that an
    error was found.
    """
    report = _staged(target) if staged else _report(target)
    reports.WRITERS[form](report)
    context.exit(0 if report.ok else 1)


def _staged(target: str | None) -> Report:
    from project_memory.app import validate_staged  # noqa: PLC0415

    return validate_staged(Path(_folder(target, "--staged")))


def _folder(target: str | None, option: str) -> str:
    if target is None:
        raise InvalidInput(
            f"{option} works on a folder that export writes, and none is named; "
            f"write `project-memory validate {option} FOLDER`"
        )
    return target


def _report(target: str | None) -> Report:
    if target is not None and (target.endswith(".json") or not _is_store(target)):
        from project_memory.app import validate_directory  # noqa: PLC0415

        return validate_directory(Path(target))
    with opened(target) as memories:
        return memories.validate()


def _is_store(target: str) -> bool:
    return "://" in target or Path(target).expanduser().is_file()
