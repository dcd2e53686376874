"""``labels rename``, ``merge``, ``deprecate``, ``remove`` and ``single``."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli import complete
from project_memory.cli.command import command
from project_memory.cli.options import change_options, label_argument
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.receipt import VIEW
from project_memory.errors import InvalidInput


@command(
    "rename",
    output="receipt",
    examples=(
        "project-memory labels rename area:auth area:access --dry-run",
        "project-memory labels rename area:auth area:access",
    ),
)
@label_argument()
@click.argument("new", metavar="NEW")
@click.option("--distinct", is_flag=True, help="Although the new name is like another label.")
@change_options
def rename(label: str, new: str, **choices: Any) -> None:
    """Give a label another name, on every memory; the old name becomes an alias."""
    with opened() as memories:
        emit(memories.rename_label(label, new, **choices), VIEW)


@command(
    "merge",
    output="receipt",
    examples=("project-memory labels merge area:login area:auth",),
)
@label_argument()
@label_argument("into", "INTO")
@change_options
def merge(label: str, into: str, **change: Any) -> None:
    """Fold a label into another, on every memory; its name becomes an alias of that one."""
    with opened() as memories:
        emit(memories.merge_labels(label, into, **change), VIEW)


@command(
    "deprecate",
    output="receipt",
    examples=(
        "project-memory labels deprecate area:v1 --replacement area:v2",
        "project-memory labels deprecate area:v1 --off",
    ),
)
@label_argument()
@click.option(
    "--replacement",
    metavar="LABEL",
    shell_complete=complete.labels,
    help="Give this label to what carries it, and to what will ask for it.",
)
@click.option("--off", is_flag=True, help="Let it be used again.")
@change_options
def deprecate(label: str, *, replacement: str | None, off: bool, **change: Any) -> None:
    """Let no further text carry a label; without a replacement it stays where it is."""
    if off and replacement is not None:
        raise InvalidInput("--off and --replacement exclude each other; pass one of them")
    with opened() as memories:
        done = (
            memories.restore_label(label, **change)
            if off
            else memories.deprecate_label(label, replacement=replacement, **change)
        )
        emit(done, VIEW)


@command(
    "remove",
    output="receipt",
    examples=(
        "project-memory labels remove area:unused",
        "project-memory labels remove area:v1 --replacement area:v2",
    ),
)
@label_argument()
@click.option(
    "--replacement",
    metavar="LABEL",
    shell_complete=complete.labels,
    help="Give this label to what carries it.",
)
@change_options
def remove(label: str, **choices: Any) -> None:
    """Take a label out of the registry; its name means nothing afterwards."""
    with opened() as memories:
        emit(memories.remove_label(label, **choices), VIEW)


@command(
    "single",
    output="receipt",
    examples=(
        "project-memory labels single kind",
        "project-memory labels single kind --keep kind:decision --keep kind:lesson",
        "project-memory labels single kind --off",
    ),
)
@click.argument("prefix", metavar="PREFIX")
@click.option(
    "--keep",
    multiple=True,
    metavar="LABEL",
    shell_complete=complete.labels,
    help="What a memory with several keeps; repeat, the first it carries counts.",
)
@click.option("--off", is_flag=True, help="Let a memory carry several again.")
@change_options
def single(prefix: str, *, keep: tuple[str, ...], off: bool, **change: Any) -> None:
    """Let a prefix allow one label a memory."""
    with opened() as memories:
        emit(memories.set_single(prefix, single=not off, keep=keep, **change), VIEW)
