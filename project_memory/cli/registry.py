"""``labels list``, ``tree``, ``add``, ``describe``, ``alias`` and ``broader``."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli import complete
from project_memory.cli.command import command
from project_memory.cli.options import change_options, label_argument
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views import label_tree
from project_memory.cli.views import labels as views
from project_memory.cli.views.receipt import VIEW as RECEIPT
from project_memory.errors import InvalidInput


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


@command(
    "tree",
    output="labels-tree",
    examples=("project-memory labels tree", "project-memory labels tree area:auth"),
)
@click.argument("top", metavar="[LABEL]", required=False, shell_complete=complete.labels)
def tree(top: str | None) -> None:
    """Show which label is below which.

    Each comes with the memories that carry it, and those that carry it or one below it. Off a
    terminal a line holds: label, depth, carried by, carried below too, description, deprecated.
    """
    with opened() as memories:
        emit(memories.label_tree(top), label_tree.VIEW)


@command(
    "describe",
    output="receipt",
    examples=("project-memory labels describe area:auth 'sign-in, sessions and tokens'",),
)
@label_argument()
@click.argument("description", metavar="TEXT")
@change_options
def describe(label: str, description: str, **change: Any) -> None:
    """Say what a label is for."""
    with opened() as memories:
        emit(memories.describe_label(label, description, **change), RECEIPT)


@command(
    "alias",
    output="receipt",
    examples=(
        "project-memory labels alias area:auth area:login",
        "project-memory labels alias area:auth area:login --remove",
    ),
)
@label_argument()
@click.argument("alias", metavar="ALIAS")
@click.option("--distinct", is_flag=True, help="Although it is like another label.")
@click.option("--remove", is_flag=True, help="Let the name stand for the label no more.")
@change_options
def alias(label: str, alias: str, *, distinct: bool, remove: bool, **change: Any) -> None:
    """Let another name stand for a label; what is written with it gets the label."""
    with opened() as memories:
        done = (
            memories.remove_alias(label, alias, **change)
            if remove
            else memories.add_alias(label, alias, distinct=distinct, **change)
        )
        emit(done, RECEIPT)


@command(
    "broader",
    output="receipt",
    examples=(
        "project-memory labels broader area:sso area:auth",
        "project-memory labels broader area:sso --none",
    ),
)
@label_argument()
@click.argument("above", metavar="[BROADER]", required=False, shell_complete=complete.labels)
@click.option("--none", "nothing", is_flag=True, help="Put it under no label.")
@change_options
def broader(label: str, above: str | None, *, nothing: bool, **change: Any) -> None:
    """Put a label under a broader one, which then selects what carries it too."""
    if (above is None) is not nothing:
        raise InvalidInput("name the broader label, or pass --none; one of the two")
    with opened() as memories:
        emit(memories.set_broader(label, above, **change), RECEIPT)
