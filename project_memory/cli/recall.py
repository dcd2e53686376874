"""``recall``: ranked answers to a question or a symptom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from project_memory.cli import complete, paths
from project_memory.cli.command import command
from project_memory.cli.options import status_filter_option, window_options
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT, COUNT_FROM_ZERO
from project_memory.cli.session import PATIENCE, opened
from project_memory.cli.session import checkout as repository
from project_memory.cli.source import read_words
from project_memory.cli.views.recall import VIEW


@command(
    "recall",
    output="recall",
    examples=(
        "project-memory recall database is locked",
        "project-memory recall --labels 'area:storage NOT kind:decision' --explain slow query",
        "project-memory recall --related-to sqlite-locked --limit 5",
        "project-memory recall --file src/store/sqlite.py --file src/sync",
        "tail -20 build.log | project-memory recall -",
    ),
)
@click.argument("query", nargs=-1, metavar="QUERY...")
@click.option(
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    help="What is known about this file or folder; repeat for several. With a QUERY, rank higher "
    "what names it.",
)
@click.option(
    "--labels",
    "label_query",
    metavar="EXPR",
    shell_complete=complete.labels,
    help="Answer only from what this label expression selects.",
)
@click.option(
    "--prefer",
    multiple=True,
    metavar="LABEL",
    shell_complete=complete.labels,
    help="Rank memories with this label higher; repeat for several.",
)
@click.option(
    "--related-to",
    metavar="ID",
    shell_complete=complete.memory_ids,
    help="Start from this memory's neighbourhood.",
)
@status_filter_option
@click.option(
    "--order",
    type=click.Choice(["relevance", "recent"]),
    default="relevance",
    show_default=True,
    help="Best first, or newest first.",
)
@window_options(8)
@click.option(
    "--full",
    "full_count",
    type=COUNT_FROM_ZERO,
    default=3,
    show_default=True,
    metavar="N",
    help="Give the first N answers whole.",
)
@click.option(
    "--max-tokens",
    type=COUNT,
    default=2000,
    show_default=True,
    metavar="N",
    help="Stop when the answers are about this long.",
)
@click.option("--before", metavar="DATE", help="Only what was last updated before this day.")
@click.option("--after", metavar="DATE", help="Only what was last updated after this day.")
@click.option(
    "--all-projects",
    is_flag=True,
    help="Answer also from what reaches everywhere in other projects of the store.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Say why each answer ranks where it does; on a terminal, or with --json.",
)
def recall(query: tuple[str, ...], files: tuple[str, ...], **choices: Any) -> None:
    """Find the lessons that answer a question or a symptom.

    QUERY is plain words, such as an error message; a single - reads it from standard input.
    Without a query, standing rules and the most central memories come first; with --file alone,
    only memories that name these files, their folders or globs of them.
    """
    words = read_words(query)
    named = paths.from_top(files, repository()) if files else []
    with opened() as memories:
        memories.look_at(Path(), patience=PATIENCE)
        emit(memories.recall(query=words, files=named, **choices), VIEW)
