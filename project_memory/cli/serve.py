"""``serve``: the MCP server on standard input and output, or one store for many over HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from project_memory.cli.command import command
from project_memory.cli.oidc import oidc_options, wanted_provider
from project_memory.cli.output import say
from project_memory.cli.session import actor, project
from project_memory.cli.settings import settings
from project_memory.cli.views.tokens import NOBODY
from project_memory.cli.working import backup_options, wanted_backups
from project_memory.errors import InvalidInput
from project_memory.jobs import Kind, Plan
from project_memory.model import Authority

if TYPE_CHECKING:
    from project_memory.web.address import Address, Gates
    from project_memory.web.oidc import Provider

_FILE = click.Path(dir_okay=False, path_type=Path)


@command(
    "serve",
    examples=(
        "project-memory serve",
        "project-memory serve --project github.com/acme/shop --actor codex",
        "project-memory serve --server https://memory.acme.org",
        "project-memory serve --http --bind 127.0.0.1:8931",
        "project-memory serve --http --bind 127.0.0.1:8931 --backup-dir backups",
        "project-memory serve --http --bind [::]:443 --tls-cert cert.pem --tls-key key.pem",
    ),
)
@click.option("--server", metavar="URL", help="Answer from this server, which was joined.")
@click.option("--http", is_flag=True, help="Serve the whole store over HTTP.")
@click.option("--bind", metavar="HOST:PORT", help="Where to listen; port 0 takes a free one.")
@click.option(
    "--token",
    envvar="PROJECT_MEMORY_TOKEN",
    show_envvar=True,
    metavar="TOKEN",
    help="Over HTTP, one shared token for an administrator of every project; with --server, the "
    "token to ask it with.",
)
@click.option("--tls-cert", type=_FILE, metavar="FILE", help="Certificate and chain, as PEM.")
@click.option("--tls-key", type=_FILE, metavar="FILE", help="Key of the certificate, as PEM.")
@click.option(
    "--no-compute", is_flag=True, help="Leave background work to others; backups are made."
)
@backup_options
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME", help="A name that clients use; repeat."
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Another site whose pages may ask; repeat.",
)
@click.option("--no-ui", is_flag=True, help="Serve no page for browsers.")
@oidc_options
def serve(
    *,
    server: str | None,
    http: bool,
    bind: str | None,
    token: str | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    no_compute: bool,
    backup_dir: Path | None,
    backup_interval: timedelta | None,
    backup_keep: int | None,
    no_ui: bool,
    **oidc: str | None,
) -> None:
    """Serve agents over MCP on standard streams, or over HTTP.

    On standard streams an agent client starts this; see project-memory setup --help. With --server
    it answers from a store that is served elsewhere; see project-memory join --help. Over HTTP
    agents ask at /mcp?project=NAME with a token, and people open the address in a browser;
    /healthz, /readyz and /metrics tell how the server is. The log goes to stderr, a JSON object a
    line. Background work, see project-memory compute --help, is done beside; with --backup-dir,
    backups are made too.
    """
    backups = wanted_backups(backup_dir, backup_interval, backup_keep)
    if http and server is not None:
        raise InvalidInput("--http serves a store and --server asks for one; give one of the two")
    if http:
        kinds = frozenset[Kind]() if no_compute else Plan().kinds
        plan = Plan(kinds, backups=backups)
        place = _place(bind, tls_cert, tls_key)
        gates = _gates(place, hosts, origins)
        _serve_http(place, token, gates, plan, wanted_provider(oidc), ui=not no_ui)
        return
    network = (bind, tls_cert, tls_key, hosts, origins, no_compute, backups, no_ui)
    if any((*network, *oidc.values())):
        raise InvalidInput("the options of a network are for --http; give that too, or leave them")
    if server is not None:
        _serve_bridge(server, token)
        return
    from project_memory.mcp_server import serve_stdio  # noqa: PLC0415

    # whoever starts it, what comes through this channel is an agent's word
    speaker = replace(actor(), authority=Authority.AGENT)
    serve_stdio(settings().store, project(), speaker)


def _serve_bridge(server: str, token: str | None) -> None:
    from project_memory.cli.join import kept_token  # noqa: PLC0415
    from project_memory.clients import joining  # noqa: PLC0415
    from project_memory.mcp_server import serve_bridge  # noqa: PLC0415

    serve_bridge(joining.checked(server), project(), token or kept_token(server))


def _place(bind: str | None, certificate: Path | None, key: Path | None) -> Address:
    from project_memory.web import address  # noqa: PLC0415

    if bind is None:
        raise InvalidInput(
            "--http needs --bind HOST:PORT, such as 127.0.0.1:8931; none is taken by itself"
        )
    return address.parsed(bind, certificate, key)


def _gates(place: Address, hosts: Iterable[str], origins: Iterable[str]) -> Gates:
    from project_memory.web import address  # noqa: PLC0415

    return address.gates(place, hosts, origins)


def _serve_http(
    place: Address,
    token: str | None,
    gates: Gates,
    plan: Plan,
    provider: Provider | None,
    *,
    ui: bool,
) -> None:
    from project_memory import web  # noqa: PLC0415
    from project_memory.hosting import Host  # noqa: PLC0415
    from project_memory.web import address  # noqa: PLC0415

    web.check_installed()
    for warning in address.warnings(place, gates):
        say(warning)
    verify = web.verifier(provider) if provider is not None else None
    with Host.open(settings().store, shared_token=token, verify=verify) as host:
        if token is None and provider is None and not host.has_tokens():
            say(f"warning: {NOBODY}")
        if plan.backups is None:
            say("warning: no backups are made; name a folder for them with --backup-dir")
        web.serve_http(host, place, gates, plan, provider, ui=ui, debug=settings().debug)
