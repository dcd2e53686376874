"""Options of what is done in the background."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import click

from project_memory.cli.parameters import COUNT, DURATION
from project_memory.errors import InvalidInput
from project_memory.jobs import Backups

Function = TypeVar("Function", bound=Callable[..., Any])

INTERVAL, KEEP = timedelta(hours=6), 7


def backup_options(function: Function) -> Function:
    """Add where to, how often and how many backups are made."""
    function = click.option(
        "--backup-keep",
        type=COUNT,
        metavar="N",
        help=f"How many backups of the store the folder may hold; {KEEP} if not given.",
    )(function)
    function = click.option(
        "--backup-interval",
        type=DURATION,
        metavar="TIME",
        help="How long after one backup the next is made, such as 30m, 6h or 1d; 6h if not given.",
    )(function)
    return click.option(
        "--backup-dir",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Make backups of the whole store there.",
    )(function)


def wanted_backups(
    folder: Path | None, every: timedelta | None, keep: int | None
) -> Backups | None:
    """Return the backups that are asked for, or None.

    Raises:
        InvalidInput: there is no folder, but what says how.
    """
    if folder is None:
        if every is not None or keep is not None:
            raise InvalidInput(
                "--backup-interval and --backup-keep say how backups are made, and --backup-dir, "
                "which says where, is missing"
            )
        return None
    return Backups(folder.expanduser().absolute(), every or INTERVAL, keep or KEEP)
