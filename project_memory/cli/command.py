"""Command and group classes that every command uses: global options, examples, lazy members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from project_memory.cli.arguments import explained
from project_memory.cli.parameters import TEXT
from project_memory.cli.settings import global_options
from project_memory.cli.table import Entry

Function = TypeVar("Function", bound=Callable[..., Any])


class Command(click.Command):
    """A command that takes the global options too and shows examples in its help.

    Attributes:
        examples: Whole command lines, beginning with ``project-memory``.
        output: Name of the schema below ``schema/output`` of what ``--json`` prints, or None.
    """

    def __init__(
        self,
        *args: Any,
        examples: Sequence[str] = (),
        output: str | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*args, **attributes)
        self.examples, self.output = tuple(examples), output
        for parameter in self.params:
            if parameter.type is click.STRING:
                parameter.type = TEXT
        self.params.extend(global_options(root=False))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the arguments are, where the text before does not say it, and the options."""
        if arguments := list(explained(self, ctx)):
            with formatter.section("Arguments"):
                formatter.write_dl(arguments)
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        """Write the examples, and where the global options and the output are described."""
        write_examples(self.examples, formatter)
        schema = f" --json prints schema/output/{self.output}.schema.json." if self.output else ""
        formatter.write_paragraph()
        formatter.write_text(f"Global options: see project-memory --help.{schema}")


class Group(click.Group):
    """A group whose members are imported when they are used; help comes from the table.

    Attributes:
        entries: Members by name; those defined beside the group need no entry.
        examples: Whole command lines, beginning with ``project-memory``.
        default: Member that runs when none is named, or None.
    """

    def __init__(
        self,
        *args: Any,
        entries: dict[str, Entry] | None = None,
        examples: Sequence[str] = (),
        default: str | None = None,
        root: bool = False,
        **attributes: Any,
    ) -> None:
        super().__init__(*args, **attributes)
        self.entries, self.examples = entries or {}, tuple(examples)
        self.default = default
        self.params.extend(global_options(root=root))

    def command_from(self, member: Command) -> Command:
        """Add a command that is defined in the same module; a decorator."""
        self.add_command(member)
        return member

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Group`; nothing but the group's name means its default."""
        if not args and self.default and not ctx.resilient_parsing:
            args = [self.default]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Return the names in the order of the table."""
        return [*self.entries, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one member, imported now, or None."""
        entry = self.entries.get(cmd_name)
        if entry is None:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = entry.target.partition(":")
        member = getattr(import_module(f"project_memory.cli.{module}"), attribute)
        assert isinstance(member, click.Command)
        return member

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """See `click.Group`; an unknown name is answered with the nearest known ones."""
        known = self.list_commands(ctx)
        if args[0] not in known and args[0][:1] != "-" and not ctx.resilient_parsing:
            raise click.exceptions.NoSuchCommand(args[0], possibilities=known, ctx=ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return members and options that begin like this, members from the table alone."""
        if not self.entries:
            return super().shell_complete(ctx, incomplete)
        members = (
            CompletionItem(name, help=entry.help)
            for name, entry in self.entries.items()
            if name.startswith(incomplete) and not entry.hidden
        )
        # not super(): the group's own list would import every member
        return [*members, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the members by section, from the table alone."""
        if not self.entries:
            super().format_commands(ctx, formatter)
        visible = [(name, e) for name, e in self.entries.items() if not e.hidden]
        for section in dict.fromkeys(entry.section for _, entry in visible):
            with formatter.section(section):
                formatter.write_dl([(n, e.help) for n, e in visible if e.section == section])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        """Write the examples."""
        write_examples(self.examples, formatter)


def command(
    name: str, *, examples: Sequence[str], output: str | None = None, **attributes: Any
) -> Callable[[Function], Command]:
    """Return a decorator that makes a function a command; see `Command` for the arguments."""
    return click.command(name, cls=Command, examples=examples, output=output, **attributes)


def write_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    """Write a section of command lines, each on its own line however long."""
    if examples:
        with formatter.section("Examples"):
            for example in examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
