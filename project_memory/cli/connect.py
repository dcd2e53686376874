"""``connect`` and ``disconnect``: tell agent clients of the server, or no longer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import dry_run_option
from project_memory.cli.output import emit
from project_memory.cli.settings import settings
from project_memory.cli.views.setup import CONNECTIONS
from project_memory.clients import CLIENTS, Client, Entry, configuring


@dataclass(frozen=True, slots=True)
class ConnectionReport:
    """What became of each client's configuration."""

    clients: Any
    dry_run: bool


CLIENT = click.Choice(list(CLIENTS))
_names = click.argument("names", nargs=-1, required=True, metavar="CLIENT...", type=CLIENT)
hooks_option = click.option(
    "--hooks", "with_hooks", is_flag=True, help="Let Claude Code and Codex run hooks as well."
)
_of_user = click.option(
    "--user", "of_user", is_flag=True, help="In your own configuration, not the repository's."
)


@command(
    "connect",
    output="connection",
    examples=(
        "project-memory connect cursor vscode",
        "project-memory connect claude --user --hooks",
        "project-memory --project github.com/acme/shop connect windsurf --user --dry-run",
    ),
)
@_names
@_of_user
@hooks_option
@dry_run_option
def connect(names: tuple[str, ...], *, of_user: bool, with_hooks: bool, dry_run: bool) -> None:
    """Write the server into the configuration of agent clients.

    CLIENT is claude, codex, cursor, vscode, gemini, windsurf or opencode. All else in their files
    stays as it is, comments too. A store or project that is given here is written as well.
    """
    done = configuring.connect(
        _clients(names),
        _base(of_user=of_user),
        entry(),
        of_user=of_user,
        with_hooks=with_hooks,
        dry_run=dry_run,
    )
    emit(ConnectionReport(done, dry_run), CONNECTIONS)


@command(
    "disconnect",
    output="connection",
    examples=(
        "project-memory disconnect cursor vscode",
        "project-memory disconnect claude --user",
    ),
)
@_names
@_of_user
@dry_run_option
def disconnect(names: tuple[str, ...], *, of_user: bool, dry_run: bool) -> None:
    """Take the server out of the configuration of agent clients.

    Hooks go with it. A file that nobody else changed is then, byte for byte, what it was before,
    or gone if it was made for the server. CLIENT as in connect.
    """
    done = configuring.disconnect(
        _clients(names), _base(of_user=of_user), of_user=of_user, dry_run=dry_run
    )
    emit(ConnectionReport(done, dry_run), CONNECTIONS)


def entry() -> Entry:
    """Return how a client starts the server with the store and project that are given."""
    from project_memory.app import without_credentials  # noqa: PLC0415  # loads the rest

    store = settings().store
    return configuring.server_entry(store and without_credentials(store), settings().project)


def _clients(names: Iterable[str]) -> list[Client]:
    return [CLIENTS[name] for name in dict.fromkeys(names)]


def _base(*, of_user: bool) -> Path:
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415

    return Path.home() if of_user else project_identity(Path.cwd()).root
