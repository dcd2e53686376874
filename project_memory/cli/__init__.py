"""The command line: a lazy click group, a module a command, one place for output and errors."""

from __future__ import annotations

__all__ = ["run"]


def run() -> None:
    """Run the command line on the process's arguments and exit."""
    from project_memory.cli.group import cli  # noqa: PLC0415

    cli()
