"""The options of ``serve`` for tokens of an identity provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from project_memory.errors import InvalidInput

if TYPE_CHECKING:
    from project_memory.web.oidc import Provider

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS = {
    "--oidc-issuer": ("issuer", "URL", "Accept tokens of this issuer too."),
    "--oidc-audience": ("audience", "NAME", "What its tokens for this server name as audience."),
    "--oidc-roles-claim": (
        "roles_claim",
        "CLAIM",
        "Claim with project-memory:reader, :writer or :admin.  [default: roles]",
    ),
    "--oidc-projects-claim": (
        "projects_claim",
        "CLAIM",
        "Claim with names of projects, or * for every one.  [default: projects]",
    ),
    "--public-url": ("public_url", "URL", "Where clients of the issuer reach this server."),
}


def oidc_options(function: Function) -> Function:
    """Add the options; they are passed on by the names of `Provider`'s fields."""
    for option, (name, metavar, text) in reversed(_OPTIONS.items()):
        function = click.option(option, name, metavar=metavar, help=text)(function)
    return function


def wanted_provider(given: Mapping[str, str | None]) -> Provider | None:
    """Return the provider that the options name, or None where they name none.

    Raises:
        InvalidInput: only a part of what is needed is given, or an address has another form.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    if not chosen:
        return None
    if not {"issuer", "audience"} <= chosen.keys():
        raise InvalidInput(
            "tokens of an issuer need both --oidc-issuer and --oidc-audience; give both, or no "
            "option of an issuer"
        )
    from project_memory.web import oidc  # noqa: PLC0415

    return oidc.checked(oidc.Provider(**chosen))
