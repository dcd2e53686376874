"""``audit``: what is outdated, doubled, unused, contradictory or secret."""

from __future__ import annotations

import click

from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.parameters import TEXT
from project_memory.cli.session import opened
from project_memory.cli.views.audit import VIEW


@command(
    "audit",
    output="audit",
    examples=(
        "project-memory audit",
        "project-memory audit --check superseded-removable --json",
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
@click.pass_context
def audit(context: click.Context, codes: tuple[str, ...]) -> None:
    """Report what is outdated, doubled, unused or contradictory.

    Nothing is changed. Exit status 1 means that something other than notes was found.
    """
    with opened() as memories:
        report = memories.audit(codes=codes)
    emit(report, VIEW)
    context.exit(1 if report.counts["error"] or report.counts["warning"] else 0)
