"""``join``: a code becomes a token, which is kept here, and clients are told of the server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.connect import CLIENT
from project_memory.cli.options import dry_run_option
from project_memory.cli.output import emit, say
from project_memory.cli.settings import settings
from project_memory.cli.views import tokens as views
from project_memory.clients import CLIENTS, Client, configuring, credentials, joining


@dataclass(frozen=True, slots=True)
class Joined:
    """Where a token is kept, whose it is, and what became of each client's configuration."""

    server: str
    kept: str
    token: Any
    clients: Any
    dry_run: bool


@command(
    "join",
    output="join",
    examples=(
        "project-memory join --server https://memory.acme.org --code 5f0c9a3e1b2d4c6e8f0a1b2c3d4e",
        "project-memory join --server https://memory.acme.org --code CODE --client cursor",
    ),
)
@click.option("--server", required=True, metavar="URL", help="Where the store is served.")
@click.option("--code", required=True, metavar="CODE", help="The code that enroll printed.")
@click.option(
    "--client", "named", multiple=True, type=CLIENT, help="Configure this client; repeat."
)
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Only keep the token, in a file there.",
)
@dry_run_option
def join(
    server: str, code: str, named: tuple[str, ...], folder: Path | None, *, dry_run: bool
) -> None:
    """Make a token of a code, keep it here, and tell this repository's clients of the server.

    The token goes into the system's keyring where one works (extra keyring), else into a file that
    only you can read. Clients are configured as by setup, without it: they start project-memory
    serve --server URL, which reads it. Joining again replaces it.
    """
    address = joining.checked(server)
    if joining.crosses_in_the_clear(address):
        say(f"warning: the token crosses the network in the clear from '{address}'; use https")
    clients = [] if folder is not None else _clients(named)
    planned = _configured(clients, address, settings().project, dry_run=True)
    if dry_run:
        place = credentials.place(address, tokens_folder()) if folder is None else str(folder)
        emit(Joined(address, place, None, planned, dry_run=True), views.JOINED)
        return
    issued = joining.redeemed(address, code)
    token = str(issued.pop("token"))
    if folder is None:
        place = credentials.keep(token, address, tokens_folder())
    else:
        place = str(credentials.write(token, address, folder))
    projects = list(issued.get("projects", []))
    project = settings().project or (projects[0] if len(projects) == 1 else None)
    done = _configured(clients, address, project, dry_run=False)
    emit(Joined(address, place, issued, done, dry_run=False), views.JOINED)


def kept_token(server: str) -> str:
    """Return the token that was kept for a server.

    Raises:
        NotFound: none was.
    """
    return credentials.read(joining.checked(server), tokens_folder())


def tokens_folder() -> Path:
    """Return where tokens are kept that no keyring takes."""
    import platformdirs  # noqa: PLC0415  # few commands need it

    return Path(platformdirs.user_config_dir("project-memory", appauthor=False)) / "tokens"


def _clients(named: tuple[str, ...]) -> list[Client]:
    """Return the clients that are named, else those in use that a repository can configure."""
    if named:
        return [CLIENTS[name] for name in dict.fromkeys(named)]
    found = [CLIENTS[name] for name in configuring.found_clients(_root(), Path.home())]
    return [client for client in found if client.config]


def _configured(
    clients: list[Client], server: str, project: str | None, *, dry_run: bool
) -> list[configuring.Connection]:
    entry = joining.entry(server, project)
    return configuring.connect(clients, _root(), entry, of_user=False, dry_run=dry_run)


def _root() -> Path:
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415

    return project_identity(Path.cwd()).root
