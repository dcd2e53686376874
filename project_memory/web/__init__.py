"""The shared server: one store over HTTP, for every project in it and whoever has a token.

Nothing here imports Starlette, uvicorn or `mcp` before a server starts.
"""

from __future__ import annotations

from importlib.util import find_spec

from project_memory.errors import InvalidInput
from project_memory.hosting import Host, Verify
from project_memory.jobs import Plan
from project_memory.web.address import Address, Gates
from project_memory.web.oidc import Provider

__all__ = ["Address", "Gates", "check_installed", "serve_http", "verifier"]

NEEDED = ("starlette", "uvicorn", "prometheus_client")
"""What the extra ``http`` brings."""


def check_installed() -> None:
    """Refuse to go on without what the extra brings.

    Raises:
        InvalidInput: something is missing.
    """
    missing = [f"'{name}'" for name in NEEDED if find_spec(name) is None]
    if missing:
        raise InvalidInput(
            f"to serve over HTTP, {', '.join(missing)} is missing; install the extra `http`: "
            "`pip install '.[http]'` in your clone of project-memory"
        )


def verifier(provider: Provider) -> Verify:
    """Return what reads tokens of a provider.

    Raises:
        InvalidInput: the extra is missing.
    """
    if find_spec("jwt") is None or find_spec("cryptography") is None:
        raise InvalidInput(
            "to read tokens of an issuer, 'PyJWT' with 'cryptography' is missing; install the "
            "extra `oidc`: `pip install '.[http,oidc]'` in your clone of project-memory"
        )
    from project_memory.web.oidc.verifying import Verifier  # noqa: PLC0415

    return Verifier(provider)


def serve_http(
    host: Host,
    address: Address,
    gates: Gates,
    plan: Plan,
    provider: Provider | None = None,
    *,
    ui: bool = True,
    debug: bool = False,
) -> None:
    """Serve a store until a signal ends it; what was asked before is answered, and counted.

    The planned background work is done beside; with `ui`, the page for browsers is served too.

    Raises:
        InvalidInput: an extra is missing, the address cannot be used, or the certificate.
    """
    check_installed()
    from project_memory.web.pages import packaged  # noqa: PLC0415
    from project_memory.web.running import run  # noqa: PLC0415  # a second of imports

    run(host, address, gates, plan, provider, page=packaged() if ui else None, debug=debug)
