"""Tokens of an identity provider (OpenID Connect): whose they are, and where clients get one.

`jwt` takes a moment to import, so that nothing here imports it before a server starts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from project_memory.errors import InvalidInput
from project_memory.web.address import is_loopback

_SERVER = re.compile(r"https?://[^/\s?#@]+")
_ISSUER = re.compile(r"https?://[^/\s?#@]+(/[^\s?#]*)?")


@dataclass(frozen=True, slots=True)
class Provider:
    """Whose tokens are accepted, and how they are read.

    Attributes:
        issuer: What the tokens name as `iss`, and where its configuration is found.
        audience: What the tokens name as `aud`.
        roles_claim: Claim with roles, each `project-memory:ROLE`; dots lead into objects.
        projects_claim: Claim with names of projects, or `*` for every one.
        public_url: Where clients reach this server; None: by the address that they asked at.
    """

    issuer: str
    audience: str
    roles_claim: str = "roles"
    projects_claim: str = "projects"
    public_url: str | None = None


def checked(provider: Provider) -> Provider:
    """Return a provider that can be asked.

    Raises:
        InvalidInput: an address has another form, or would be asked without TLS.
    """
    if not _ISSUER.fullmatch(provider.issuer) or not is_safe(provider.issuer):
        raise InvalidInput(
            f"'{provider.issuer}' is no address of an issuer; use https://HOST or "
            "https://HOST/PATH, as its tokens have it in `iss`"
        )
    if provider.public_url is not None and not _SERVER.fullmatch(provider.public_url):
        raise InvalidInput(
            f"'{provider.public_url}' is no address of a server; use https://HOST or "
            "https://HOST:PORT"
        )
    return provider


def is_safe(url: str) -> bool:
    """Return whether nobody on the way can change what is read from an address."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (
        parts.scheme == "http" and is_loopback(parts.hostname or "")
    )
