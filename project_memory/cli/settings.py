"""What the global options and their environment twins say, wherever on the line they stand."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import Any

import click

from project_memory.cli.parameters import TEXT


@dataclass(frozen=True, slots=True)
class Settings:
    """The global options of one invocation.

    Attributes:
        store: Store URL or path; None for the default store.
        project: Readable name or repository id; None for the repository at hand.
        actor: Name of who acts; None for the login name.
        json: Whether results and errors are JSON documents.
        quiet: Whether remarks on stderr are left out; errors never are.
        debug: Whether failures show a traceback and steps are logged.
        given: Store, project and actor as they stand on the command line, options and values.
    """

    store: str | None = None
    project: str | None = None
    actor: str | None = None
    json: bool = False
    quiet: bool = False
    debug: bool = False
    given: tuple[str, ...] = ()


def settings() -> Settings:
    """Return the settings of the running command."""
    context = click.get_current_context(silent=True)
    found = context.find_root().obj if context else None
    return found if isinstance(found, Settings) else Settings()


def command_line(*words: str) -> str:
    """Return a command line that speaks to the same store and project as this one.

    A password in a store's URL is left out.
    """
    given = settings().given
    if settings().store in given:
        from project_memory.app import without_credentials  # noqa: PLC0415  # loads the rest

        given = tuple(without_credentials(w) if w == settings().store else w for w in given)
    return shlex.join(("project-memory", *given, *words))


def global_options(*, root: bool) -> list[click.Option]:
    """Return the global options, for the root (with environment twins) or for a subcommand.

    A subcommand's copies are hidden and read no environment: they must not override what
    stands before the subcommand.
    """
    shared: dict[str, Any] = {
        "expose_value": False,
        "callback": _remember,
        "hidden": not root,
        "show_envvar": True,
    }
    return [
        click.Option(
            [*names],
            metavar=metavar,
            help=text,
            type=TEXT,
            envvar=f"PROJECT_MEMORY_{names[0][2:].upper()}" if root else None,
            **shared,
        )
        for names, metavar, text in _VALUES
    ] + [click.Option([name], is_flag=True, help=text, **shared) for name, text in _FLAGS]


_VALUES = (
    (
        ("--store", "--database"),
        "URL",
        "Store to use: a path, sqlite:///PATH or postgresql://HOST/DATABASE.",
    ),
    (("--project",), "NAME", "Project name or repository id, instead of the one found here."),
    (("--actor",), "NAME", "Who acts, instead of local:LOGIN."),
)
_FLAGS = (
    ("--json", "Print one JSON document; errors are one on stderr."),
    ("--quiet", "Leave out remarks on stderr."),
    ("--debug", "Show tracebacks and log steps to stderr."),
)


def _remember(context: click.Context, parameter: click.Parameter, value: object) -> None:
    if value is None or value is False:
        return
    root = context.find_root()
    known = root.obj if isinstance(root.obj, Settings) else Settings()
    chosen: dict[str, Any] = {str(parameter.name): value}
    if isinstance(value, str) and _is_typed(context, parameter):
        chosen["given"] = (*known.given, parameter.opts[0], value)
    root.obj = replace(known, **chosen)


def _is_typed(context: click.Context, parameter: click.Parameter) -> bool:
    source = context.get_parameter_source(str(parameter.name))
    return source is click.core.ParameterSource.COMMANDLINE
