"""``audit``: what is outdated, doubled, unused, contradictory or secret."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from project_memory.cli import findings
from project_memory.cli.command import command
from project_memory.cli.limits import limit_options
from project_memory.cli.parameters import TEXT
from project_memory.cli.session import checkout as repository
from project_memory.cli.session import opened


@command(
    "audit",
    output="audit",
    examples=(
        "project-memory audit",
        "project-memory audit --check superseded-removable --json",
        "project-memory audit --validated-days 180 --format markdown",
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
@click.option(
    "--format",
    "form",
    type=click.Choice(list(findings.WRITERS)),
    default="text",
    show_default=True,
    help="How the report is written.",
)
@click.option(
    "--checkout",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    metavar="DIR",
    help="The project's code, instead of the repository at hand.",
)
@limit_options
@click.pass_context
def audit(
    context: click.Context,
    /,
    codes: tuple[str, ...],
    form: str,
    checkout: Path | None,
    **limits: Any,
) -> None:
    """Report what is outdated, doubled, unused or contradictory.

    No memory is changed. What limits leave unsaid, [tool.project-memory] in pyproject.toml says,
    then the project's settings. Exit status 1 means that something other than notes was found.
    """
    with opened() as memories:
        found = memories.audit(codes=codes, checkout=checkout or repository(), limits=limits)
        report = memories.keep_findings(found)
    findings.WRITERS[form](report)
    context.exit(1 if report.counts["error"] or report.counts["warning"] else 0)
