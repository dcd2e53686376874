"""``rename`` and ``merge``: ids change everywhere at once."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import change_options, if_version_option, memory_argument
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.receipt import VIEW


@command(
    "rename",
    output="receipt",
    examples=("project-memory rename sqlite-locked sqlite-writers-wait",),
)
@memory_argument()
@click.argument("new_id", metavar="NEW_ID")
@if_version_option
@change_options
def rename(memory_id: str, new_id: str, **change: Any) -> None:
    """Give a memory another id, everywhere.

    The old id leads to the new one from then on and is not given to another memory.
    """
    with opened() as memories:
        emit(memories.rename(memory_id, new_id, **change), VIEW)


@command(
    "merge",
    output="receipt",
    examples=("project-memory merge sqlite-busy sqlite-locked --dry-run",),
)
@memory_argument("victim_id", "ID")
@memory_argument("into_id", "INTO")
@if_version_option
@change_options
def merge(victim_id: str, into_id: str, **change: Any) -> None:
    """Fold one memory into another.

    INTO takes over facts, labels and links of ID, which is archived and superseded by it.
    """
    with opened() as memories:
        emit(memories.merge(victim_id, into_id, **change), VIEW)
