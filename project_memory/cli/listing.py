"""``list`` and ``search``: everything that matches, in a stable order."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli import complete
from project_memory.cli.command import command
from project_memory.cli.options import status_filter_option, window_options
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.page import VIEW

_order_option = click.option(
    "--order",
    type=click.Choice(["id", "recent"]),
    default="id",
    show_default=True,
    help="By id, or the last updated first.",
)


@command(
    "list",
    output="search",
    examples=(
        "project-memory list",
        "project-memory list --status stale --limit 20",
        "project-memory list --order recent --limit 10",
        "project-memory list --archived --json",
    ),
)
@_order_option
@click.option("--archived", is_flag=True, help="Only archived memories, instead of the others.")
@status_filter_option
@window_options(50)
def list_(*, archived: bool, **choices: Any) -> None:
    """List memories, without ranking.

    Memories of every status are listed, with their status beside them.
    """
    with opened() as memories:
        emit(memories.search("is:archived" if archived else None, **choices), VIEW)


@command(
    "search",
    output="search",
    examples=(
        "project-memory search area:auth kind:bug",
        "project-memory search '(area:auth OR area:billing) NOT status:stale'",
        "project-memory search --text SQLITE_BUSY",
        "project-memory search 'updated:<30d'",
    ),
)
@click.argument("expression", nargs=-1, metavar="EXPR...", shell_complete=complete.labels)
@_order_option
@click.option("--text", "text_query", metavar="TEXT", help="Only memories that hold this text.")
@status_filter_option
@window_options(50)
def search(expression: tuple[str, ...], **choices: Any) -> None:
    """Select memories by a label expression.

    Terms are labels (area:auth, area:*) and fields (status: tag: file: id: updated: is: ...),
    combined by AND, OR, NOT and parentheses; side by side they mean AND. An expression that
    begins with - goes after --.
    """
    with opened() as memories:
        emit(memories.search(" ".join(expression) or None, **choices), VIEW)
