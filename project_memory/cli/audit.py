"""``audit``: what is outdated, doubled, unused, contradictory or secret."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from project_memory.cli import findings
from project_memory.cli.command import command
from project_memory.cli.limits import limit_options
from project_memory.cli.options import checkout_option, form_option
from project_memory.cli.parameters import TEXT
from project_memory.cli.progress import progress
from project_memory.cli.session import checkout as repository
from project_memory.cli.session import opened
from project_memory.cli.settings import command_line
from project_memory.errors import InvalidInput

if TYPE_CHECKING:  # the application is imported when it runs
    from project_memory.app import AuditReport


@command(
    "audit",
    output="audit",
    examples=(
        "project-memory audit",
        "project-memory audit --check superseded-removable --json",
        "project-memory audit --validated-days 180 --format markdown",
        "project-memory audit --apply --yes --max-actions 5",
    ),
)
@click.option(
    "--check",
    "codes",
    multiple=True,
    metavar="CODE",
    type=TEXT,
    help="Only this check; repeat for several.",
)
@form_option(findings.WRITERS)
@checkout_option()
@click.option("--apply", is_flag=True, help="Say what would be done; with --yes, do it.")
@click.option("--yes", is_flag=True, help="Act on what is printed, in one transaction.")
@limit_options
@click.pass_context
def audit(
    context: click.Context,
    /,
    *,
    codes: tuple[str, ...],
    form: str,
    checkout: Path | None,
    apply: bool,
    yes: bool,
    **limits: Any,
) -> None:
    """Report what is outdated, doubled, unused or contradictory.

    Without --apply --yes no memory is changed; what they do, undo takes back. What the limits
    here leave unsaid, [tool.project-memory] in pyproject.toml says, then the project. Exit
    status 1 means that something other than notes was found.
    """
    if yes and not apply:
        raise InvalidInput("'--yes' says nothing by itself; add --apply")
    folder = checkout or repository()
    with opened() as memories:
        with progress("auditing") as told:
            found = memories.audit(codes=codes, checkout=folder, limits=limits, progress=told)
        report = memories.keep_findings(found)
        if apply:
            report = _here(memories.apply_findings(report, dry_run=not yes))
    findings.WRITERS[form](report)
    context.exit(1 if report.counts["error"] or report.counts["warning"] else 0)


def _here(report: AuditReport) -> AuditReport:
    """Return the report with an undo that names the store and project of this command line."""
    applied = report.applied
    if applied is None or applied.undo is None:
        return report
    undo = command_line("undo", "--revision", str(applied.receipt.revision))
    return replace(report, applied=replace(applied, undo=undo))
