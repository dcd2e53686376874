"""``enroll`` and ``join``: a code goes from an administrator to a machine, and becomes a token."""

from __future__ import annotations

from pathlib import Path

import click

from project_memory.cli.command import command
from project_memory.cli.output import emit, say
from project_memory.cli.settings import settings
from project_memory.cli.tokens import scope, whose_options
from project_memory.cli.views import tokens as views
from project_memory.clients import joining
from project_memory.hosting import Host
from project_memory.roles import Role


@command(
    "enroll",
    output="enroll",
    examples=("project-memory enroll ada --role writer --for shop",),
)
@click.argument("whose", metavar="NAME")
@whose_options
def enroll(
    whose: str, *, role: str, projects: tuple[str, ...], every_project: bool, days: int
) -> None:
    """Give out a code that becomes a token once, within 15 minutes.

    So that no token has to be sent: NAME passes the code to project-memory join.
    """
    meant = scope(projects, every=every_project)
    with Host.open(settings().store) as host:
        invitation = host.invite(whose, role=Role(role), projects=meant, days=days)
    emit(invitation, views.INVITATION)


@command(
    "join",
    output="join",
    examples=(
        "project-memory join --server https://memory.acme.org --code 5f0c9a3e1b2d4c6e8f0a1b2c3d4e",
    ),
)
@click.option("--server", required=True, metavar="URL", help="Where the store is served.")
@click.option("--code", required=True, metavar="CODE", help="The code that enroll printed.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where the token is kept, instead of your own configuration.",
)
def join(server: str, code: str, folder: Path | None) -> None:
    """Make a token of a code, and keep it in a file that only you can read.

    The path is printed, never the token. Whatever starts your agent reads it into a variable, and
    the agent's configuration names that variable.
    """
    if joining.crosses_in_the_clear(server):
        say(f"warning: the token crosses the network in the clear from '{server}'; use https")
    issued = joining.redeemed(server, code)
    if folder is None:
        import platformdirs  # noqa: PLC0415  # only this case needs it

        named = platformdirs.user_config_dir("project-memory", appauthor=False)
        folder = Path(named) / "tokens"
    place = joining.keep(str(issued.pop("token")), server, folder)
    emit({"file": str(place), "server": server, **issued}, views.JOINED)
