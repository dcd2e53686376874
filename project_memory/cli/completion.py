"""``completion``: the script that makes a shell complete commands, options, ids and labels."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from project_memory.cli.command import command
from project_memory.cli.output import write


@command(
    "completion",
    examples=(
        'eval "$(project-memory completion bash)"',
        "project-memory completion zsh",
        "project-memory completion fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a shell's completion script.

    Add the line of the first example to ~/.bashrc, or its like to ~/.zshrc; for fish, write the
    script to ~/.config/fish/completions/project-memory.fish.
    """
    from project_memory.cli.group import COMPLETE, NAME, cli  # noqa: PLC0415

    made = get_completion_class(shell)
    assert made is not None
    # the class's own source() would look for an installed bash, which this machine may lack
    write(ShellComplete.source(made(cli, {}, NAME, COMPLETE)) + "\n")
