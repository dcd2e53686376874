"""``enroll``: a code that a machine makes a token of, so that none has to be sent."""

from __future__ import annotations

import click

from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.session import actor
from project_memory.cli.settings import settings
from project_memory.cli.tokens import scope, whose_options
from project_memory.cli.views import tokens as views
from project_memory.hosting import Host
from project_memory.roles import Role


@command(
    "enroll",
    output="enroll",
    examples=(
        "project-memory enroll ada --role writer --for shop",
        "project-memory enroll ada --role writer --for shop --person --days 30",
    ),
)
@click.argument("whose", metavar="NAME")
@whose_options
@click.option(
    "--person", is_flag=True, help="For the page of a person; at a terminal, by a person only."
)
def enroll(
    whose: str,
    *,
    role: str,
    projects: tuple[str, ...],
    every_project: bool,
    days: int,
    person: bool,
) -> None:
    """Give out a code that becomes a token once, within 15 minutes.

    So that no token has to be sent: NAME passes the code to project-memory join. With --person,
    NAME logs in with it on the page that the server has, and what is written there is a person's
    word, as at a terminal.
    """
    meant = scope(projects, every=every_project)
    vouching = actor() if person else None
    with Host.open(settings().store) as host:
        invitation = host.invite(
            whose, role=Role(role), projects=meant, days=days, vouching=vouching
        )
    emit(invitation, views.INVITATION)
