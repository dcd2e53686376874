"""``completion``: the script that makes a shell complete commands, options, ids and labels."""

from __future__ import annotations

import click

from project_memory.cli.command import command
from project_memory.cli.output import write
from project_memory.cli.shells import script


@command(
    "completion",
    examples=(
        'eval "$(project-memory completion bash)"',
        "project-memory completion zsh",
        "project-memory completion fish",
    ),
)
@click.argument("shell", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a shell's completion script.

    Add the line of the first example to ~/.bashrc, or its like to ~/.zshrc; for fish, write the
    script to ~/.config/fish/completions/project-memory.fish.
    """
    from project_memory.cli.group import NAME, cli  # noqa: PLC0415  # the group names this module

    write(script(cli, NAME, shell) + "\n")
