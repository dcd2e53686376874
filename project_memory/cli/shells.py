"""Answer a shell that asks for completions; bash cuts words at colons, which labels hold."""

from __future__ import annotations

import os

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    ShellComplete,
    add_completion_class,
    get_completion_class,
    shell_complete,
    split_arg_string,
)

COMPLETE = "_PROJECT_MEMORY_COMPLETE"
"""Environment variable by which a completion script says what it wants."""


@add_completion_class
class _Bash(BashComplete):
    """Completion for bash, where ``kind:b`` reaches us as the words ``kind``, ``:``, ``b``."""

    name = "bash"
    _kept = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor and the one to complete, joined at colons."""
        raw = os.environ["COMP_WORDS"].split("\n")[1 : int(os.environ["COMP_CWORD"]) + 1]
        words = ["".join(split_arg_string(word)) for word in raw] or [""]
        joined = [""]
        for word in words:
            if word.startswith(":") or joined[-1].endswith(":"):
                joined[-1] += word
            else:
                joined.append(word)
        incomplete = joined.pop()
        replaced = words[-1].removeprefix(":")
        self._kept = incomplete[: len(incomplete) - len(replaced)]
        return joined[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Return what bash shall put in place of the last word it sees."""
        return f"{item.type},{item.value.removeprefix(self._kept)}"


def answer(command: click.Command, program: str, instruction: str) -> int:
    """Print what the shell asked for, and return the exit code."""
    return shell_complete(command, {}, program, COMPLETE, instruction)


def script(command: click.Command, program: str, shell: str) -> str:
    """Return the script that makes a shell ask."""
    made = get_completion_class(shell)
    assert made is not None
    # the class's own source() would look for an installed bash, which this machine may lack
    return ShellComplete.source(made(command, {}, program, COMPLETE))
