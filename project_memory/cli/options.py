"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from project_memory.cli import complete
from project_memory.cli.parameters import COUNT, COUNT_FROM_ZERO

Function = TypeVar("Function", bound=Callable[..., Any])


def memory_argument(
    name: str = "memory_id", metavar: str = "ID", **more: Any
) -> Callable[[Function], Function]:
    """Return a decorator that takes a memory's id, or several (`more`: see `click.argument`)."""
    return click.argument(name, metavar=metavar, shell_complete=complete.memory_ids, **more)


def label_argument(name: str = "label", metavar: str = "LABEL") -> Callable[[Function], Function]:
    """Return a decorator that takes a registered label."""
    return click.argument(name, metavar=metavar, shell_complete=complete.labels)


def change_options(function: Function) -> Function:
    """Add what every mutation takes: why it is made, and whether only to try it."""
    function = click.option("--reason", metavar="TEXT", help="Why; kept in history.")(function)
    return dry_run_option(function)


def dry_run_option(function: Function) -> Function:
    """Add ``--dry-run``."""
    text = "Say what would change, and change nothing."
    return click.option("--dry-run", is_flag=True, help=text)(function)


def if_version_option(function: Function) -> Function:
    """Add ``--if-version``."""
    text = "Refuse unless the memory is at this version."
    return click.option("--if-version", type=COUNT, metavar="N", help=text)(function)


def form_option(forms: Iterable[str]) -> Callable[[Function], Function]:
    """Return a decorator that takes the form of a report, passed on as `form`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(list(forms)),
        default="text",
        show_default=True,
        help="How the report is written.",
    )


def checkout_option(only: str = "") -> Callable[[Function], Function]:
    """Return a decorator that takes a folder of code; `only`: what it needs beside it."""
    text = "the project's code, instead of the repository at hand."
    return click.option(
        "--checkout",
        type=click.Path(file_okay=False, exists=True, path_type=Path),
        metavar="DIR",
        help=f"{only}: {text}" if only else f"T{text[1:]}",
    )


def window_options(limit: int) -> Callable[[Function], Function]:
    """Return a decorator that adds ``--limit`` with this default, and ``--offset``."""

    def add(function: Function) -> Function:
        function = click.option(
            "--offset",
            type=COUNT_FROM_ZERO,
            default=0,
            metavar="N",
            help="Leave out the first N.",
        )(function)
        return click.option(
            "--limit",
            type=COUNT,
            default=limit,
            show_default=True,
            metavar="N",
            help="Return at most N.",
        )(function)

    return add


def status_filter_option(function: Function) -> Function:
    """Add ``--status``, several times, or ``all``; passed on as `status_filter`."""
    return click.option(
        "--status",
        "status_filter",
        multiple=True,
        metavar="STATUS",
        callback=_status_filter,
        shell_complete=complete.statuses,
        help="Only this status; repeat for several, or 'all'.",
    )(function)


def _status_filter(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> Any:
    return "all" if "all" in value else list(value) or None
