"""Parse command lines against the commands, without running them."""

from __future__ import annotations

from typing import Any

import click


def parse_line(command: Any, name: str, arguments: list[str], parent: Any = None) -> None:
    """Raise `click.UsageError` unless the arguments are ones that the command takes."""
    with command.make_context(name, list(arguments), parent=parent) as context:
        if isinstance(command, click.Group):
            rest = [*getattr(context, "_protected_args", ()), *context.args]
            found, member, rest = command.resolve_command(context, rest)
            assert member is not None
            parse_line(member, str(found), rest, context)
