"""``validate``: a verdict for people and for continuous integration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from project_memory.cli import reports
from project_memory.cli.command import command
from project_memory.cli.options import checkout_option, form_option
from project_memory.cli.session import checkout as repository
from project_memory.cli.session import opened
from project_memory.errors import InvalidInput

if TYPE_CHECKING:  # validation is imported when it runs
    from project_memory.app import MendReport, Report


@command(
    "validate",
    output="validate",
    examples=(
        "project-memory validate",
        "project-memory validate .project-memory --format github",
        "project-memory validate .project-memory --staged",
        "project-memory validate .project-memory --fix --dry-run",
        "project-memory validate --facts",
        "project-memory validate .project-memory --recall",
        "project-memory validate sqlite:///team.db --json",
    ),
)
@click.argument("target", required=False, metavar="[PATH|URL]")
@form_option(reports.WRITERS)
@click.option(
    "--staged", is_flag=True, help="Check the folder as the next git commit will hold it."
)
@click.option("--fix", is_flag=True, help="Mend first, in the folder, what has one right answer.")
@click.option("--dry-run", is_flag=True, help="With --fix: say what would be mended.")
@click.option("--facts", is_flag=True, help="Hold the checks of memories against the code, too.")
@checkout_option("With --facts")
@click.option("--recall", is_flag=True, help="Ask what is expected to be found, too.")
@click.pass_context
def validate(
    context: click.Context,
    target: str | None,
    *,
    form: str,
    staged: bool,
    fix: bool,
    dry_run: bool,
    facts: bool,
    checkout: Path | None,
    recall: bool,
) -> None:
    """Report every problem of a store or folder.

    PATH is a folder or a .json or .jsonl file as export writes them, or a file of one memory,
    which need no store, or a store; without it, the project at hand is validated. Exit status 1
    means that an error was found, or that a dry run would mend something.

    --fix puts documents into canonical form, with the labels that aliases stand for, names files
    after their documents and adds the missing side of links. What a lesson says never changes.

    --facts says which lessons the code contradicts, with file and line: files are looked at and
    read as they are now, and nothing is run. What cannot be decided is a warning.

    --recall ranks the memories for every expectation and reports those that are not found.
    """
    if recall and fix:
        raise InvalidInput("--recall asks what --fix leaves; run it again without --fix")
    if facts and (staged or fix):
        raise InvalidInput("--facts reads files as they are; leave out --staged and --fix")
    if checkout is not None and not facts:
        raise InvalidInput("--checkout says where --facts looks; add --facts, or leave it out")
    if facts:
        report: Report | MendReport = _checked(target, _code(target, checkout), recall=recall)
    else:
        report = _report(target, staged=staged, fix=fix, dry_run=dry_run, recall=recall)
    reports.WRITERS[form](report)
    context.exit(0 if report.passed else 1)


def _report(
    target: str | None, *, staged: bool, fix: bool, dry_run: bool, recall: bool
) -> Report | MendReport:
    from project_memory import app  # noqa: PLC0415

    if staged and (fix or dry_run):
        raise InvalidInput("--staged only looks at the index; leave out --fix and --dry-run")
    if dry_run and not fix:
        raise InvalidInput("--dry-run says what --fix would do; add --fix, or leave it out")
    if staged:
        return app.validate_staged(_folder(target, "--staged"), recall=recall)
    if fix:
        return app.mend_directory(_folder(target, "--fix"), dry_run=dry_run)
    return _checked(target, recall=recall)


def _folder(target: str | None, option: str) -> str:
    if target is None:
        raise InvalidInput(
            f"{option} works on a folder that export writes, and none is named; "
            f"write `project-memory validate {option} FOLDER`"
        )
    return target


def _checked(target: str | None, code: Path | None = None, *, recall: bool) -> Report:
    from project_memory.app import validate_directory  # noqa: PLC0415

    if target is not None and _is_written(target):
        return validate_directory(target, code=code, recall=recall)
    with opened(target) as memories:
        return memories.validate(code=code, recall=recall)


def _code(target: str | None, checkout: Path | None) -> Path:
    """Return a folder in the checkout: what was named, else that of the files, else at hand."""
    found = checkout
    if found is None and target is not None and _is_written(target):
        found = Path(target) if Path(target).is_dir() else Path(target).parent
    if found is None:
        found = repository()
    if found is None:
        raise InvalidInput("the project's code is not at hand; name it with --checkout DIR")
    return found


def _is_written(target: str) -> bool:
    """Return whether a target is what export writes, rather than a store."""
    return target.endswith((".json", ".jsonl")) or not _is_store(target)


def _is_store(target: str) -> bool:
    return "://" in target or Path(target).expanduser().is_file()
