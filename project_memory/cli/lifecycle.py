"""``status``, ``touch``, ``archive``, ``unarchive`` and ``pin``: how far a memory counts."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli import complete
from project_memory.cli.command import command
from project_memory.cli.options import (
    change_options,
    dry_run_option,
    if_version_option,
    memory_argument,
)
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.receipt import VIEW


@command(
    "status",
    output="receipt",
    examples=(
        "project-memory status sqlite-locked stale --reason 'not seen since the upgrade'",
        "project-memory status sqlite-locked active",
    ),
)
@memory_argument()
@click.argument("status", metavar="STATUS", shell_complete=complete.statuses)
@if_version_option
@change_options
def status(memory_id: str, status: str, **change: Any) -> None:
    """Call a memory active, stale or wrong.

    A memory becomes superseded by a link: see project-memory link --help.
    """
    with opened() as memories:
        emit(memories.set_status(memory_id, status, **change), VIEW)


@command(
    "touch",
    output="receipt",
    examples=(
        "project-memory touch sqlite-locked --note 'seen again with version 3.50'",
        "project-memory touch sqlite-locked retry-twice --dry-run",
    ),
)
@memory_argument("memory_ids", nargs=-1, required=True)
@click.option("--note", metavar="TEXT", help="What showed it; kept in history.")
@dry_run_option
def touch(memory_ids: tuple[str, ...], **change: Any) -> None:
    """Say that memories still hold, as of today.

    A memory's age, and whether its files have changed since, count from the last time.
    """
    with opened() as memories:
        emit(memories.touch(memory_ids, **change), VIEW)


@command(
    "archive",
    output="receipt",
    examples=("project-memory archive sqlite-locked --reason 'that service is gone'",),
)
@memory_argument()
@change_options
def archive(memory_id: str, **change: Any) -> None:
    """Take a memory out of retrieval, and keep it."""
    with opened() as memories:
        emit(memories.archive(memory_id, **change), VIEW)


@command(
    "unarchive",
    output="receipt",
    examples=("project-memory unarchive sqlite-locked",),
)
@memory_argument()
@change_options
def unarchive(memory_id: str, **change: Any) -> None:
    """Bring an archived memory back."""
    with opened() as memories:
        emit(memories.unarchive(memory_id, **change), VIEW)


@command(
    "pin",
    output="receipt",
    examples=("project-memory pin sqlite-locked", "project-memory pin --off sqlite-locked"),
)
@memory_argument()
@click.option("--off", is_flag=True, help="End the protection.")
@change_options
def pin(memory_id: str, *, off: bool, **change: Any) -> None:
    """Protect a memory from retention."""
    with opened() as memories:
        act = memories.unpin if off else memories.pin
        emit(act(memory_id, **change), VIEW)
