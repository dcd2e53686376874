"""The root group: global options, the command table, the error boundary around it all."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from project_memory.cli import shells
from project_memory.cli.boundary import guarded
from project_memory.cli.command import Group
from project_memory.cli.table import COMMANDS

NAME = "project-memory"


class _Root(Group):
    """The group that a process runs."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> None:  # type: ignore[override]
        """Run a command line and exit with its code."""
        arguments = list(sys.argv[1:] if args is None else args)
        instruction = os.environ.get(shells.COMPLETE)
        if instruction:
            sys.exit(shells.answer(self, NAME, instruction))

        def action() -> None:
            with self.make_context(NAME, arguments, **extra) as context:
                self.invoke(context)

        sys.exit(guarded(action, list(arguments)))


def _print_version(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value and not context.resilient_parsing:
        from importlib.metadata import version  # noqa: PLC0415

        click.echo(f"{NAME} {version(NAME)}")
        context.exit()


cli = _Root(
    NAME,
    entries=COMMANDS,
    root=True,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 99},
    help=(
        "Keep a repository's hard-won lessons, and find the right one when it is needed.\n\n"
        "Results go to stdout: to be read on a terminal, one tab-separated line for each record "
        "elsewhere, one JSON document with --json. Exit status: 0 fine, 1 something was found, "
        "2 your input, 3 our failure, 130 interrupted."
    ),
    examples=(
        'project-memory recall "database is locked"',
        "project-memory search area:auth NOT kind:decision",
        "project-memory add lesson.json",
        "project-memory validate .project-memory",
    ),
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Print the version.",
        )
    ],
)
