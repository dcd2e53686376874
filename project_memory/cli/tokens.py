"""``tokens``: who may speak to a store that is served."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from project_memory.cli.command import Group, command
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT
from project_memory.cli.settings import settings
from project_memory.cli.views import tokens as views
from project_memory.errors import InvalidInput
from project_memory.hosting import Host
from project_memory.roles import Role

Function = TypeVar("Function", bound=Callable[..., Any])

tokens = Group(
    "tokens",
    default="list",
    help="Say who may speak to a store that is served over HTTP.",
    examples=(
        "project-memory tokens add ada --role writer --for shop",
        "project-memory tokens revoke ada",
    ),
)


def whose_options(function: Function) -> Function:
    """Add role, projects and days of a token that is given out."""
    function = click.option(
        "--days",
        type=COUNT,
        default=90,
        show_default=True,
        metavar="N",
        help="How long the token is accepted.",
    )(function)
    function = click.option(
        "--every-project", is_flag=True, help="For every project, later ones too."
    )(function)
    function = click.option(
        "--for", "projects", multiple=True, metavar="PROJECT", help="A project it is for; repeat."
    )(function)
    return click.option(
        "--role",
        type=click.Choice([role.value for role in Role]),
        default=Role.READER.value,
        show_default=True,
        help="What its holder may do.",
    )(function)


def scope(projects: tuple[str, ...], *, every: bool) -> tuple[str, ...] | None:
    """Return the projects that are meant; None for every one.

    Raises:
        InvalidInput: neither or both are given.
    """
    if bool(projects) is every:
        raise InvalidInput(
            "say what the token is for: --for PROJECT, once or more, or --every-project; one of "
            "the two"
        )
    return None if every else projects


@tokens.command_from
@command(
    "add",
    output="tokens-add",
    examples=(
        "project-memory tokens add ada --role writer --for shop",
        "project-memory tokens add ci --for shop --for github.com/acme/till --days 30",
        "project-memory tokens add root --role admin --every-project",
    ),
)
@click.argument("whose", metavar="NAME")
@whose_options
def add(
    whose: str, *, role: str, projects: tuple[str, ...], every_project: bool, days: int
) -> None:
    """Give out a token; it is shown once.

    A reader finds and reads, a writer changes memories too, an admin sees the server's counters as
    well. History keeps what is done with it under NAME.
    """
    meant = scope(projects, every=every_project)
    with Host.open(settings().store) as host:
        issued = host.add_token(whose, role=Role(role), projects=meant, days=days)
    emit(issued, views.ISSUED)


@tokens.command_from
@command(
    "list",
    output="tokens-list",
    examples=("project-memory tokens list", "project-memory tokens list --json"),
)
def list_() -> None:
    """List the tokens that were given out, and none of the tokens themselves.

    Off a terminal a line holds: id, actor, role, projects, created, expires, state.
    """
    with Host.open(settings().store) as host:
        emit(host.tokens(), views.LISTED)


@tokens.command_from
@command(
    "revoke",
    output="tokens-revoke",
    examples=("project-memory tokens revoke ada", "project-memory tokens revoke 1f0c9a3e"),
)
@click.argument("name", metavar="NAME|ID")
def revoke(name: str) -> None:
    """Take back every token of an actor, or the token of an id.

    The next request with it is refused; a stream that is open ends within a second or two.
    """
    with Host.open(settings().store) as host:
        emit(host.revoke(name), views.REVOKED)
