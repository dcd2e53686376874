"""``labels list`` and ``labels add``."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli.command import Group, command
from project_memory.cli.options import change_options
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views import labels as views
from project_memory.cli.views.receipt import VIEW as RECEIPT

labels = Group(
    "labels",
    default="list",
    help="List and add labels.",
    examples=("project-memory labels list", "project-memory labels add area:auth"),
)


@labels.command_from
@command(
    "list",
    output="labels-list",
    examples=(
        "project-memory labels list",
        "project-memory labels list --prefix area --no-counts",
    ),
)
@click.option("--prefix", metavar="PREFIX", help="Only labels with this prefix.")
@click.option("--counts/--no-counts", "with_counts", default=True, help="Count memories or not.")
def list_(**choices: Any) -> None:
    """List the registered labels."""
    with opened() as memories:
        emit(memories.labels(**choices), views.VIEW)


@labels.command_from
@command(
    "add",
    output="receipt",
    examples=(
        "project-memory labels add area:auth --description 'sign-in, sessions and tokens'",
        "project-memory labels add area:auth-ui --distinct",
    ),
)
@click.argument("label", metavar="LABEL")
@click.option("--description", default="", metavar="TEXT", help="What it is for.")
@click.option("--distinct", is_flag=True, help="Register it although it is like another one.")
@change_options
def add(label: str, **choices: Any) -> None:
    """Register a label."""
    with opened() as memories:
        emit(memories.add_label(label, **choices), RECEIPT)
