"""Join a server: ask it to make a token of a code, and tell clients how to reach it."""

from __future__ import annotations

import json
import re
from http.client import HTTPException
from ssl import SSLCertVerificationError
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from project_memory.clients import Entry, configuring
from project_memory.errors import InvalidInput, StorageError, Unidentified

_SECONDS = 30.0


def redeemed(server: str, code: str) -> dict[str, Any]:
    """Return what a server makes of a code: token, id, actor, role, projects, expires_at.

    Raises:
        InvalidInput: the address has another form, or what is there is no such server.
        Unidentified: the code is not accepted.
        StorageError: the server cannot be reached.
    """
    address = f"{checked(server)}/enroll"
    body = json.dumps({"code": code}).encode()
    request = Request(address, body, {"Content-Type": "application/json"})  # noqa: S310  # checked
    try:
        with urlopen(request, timeout=_SECONDS) as response:  # noqa: S310  # checked
            return _answer(response.read(), server)
    except HTTPError as error:
        with error:
            refused = _answer(error.read(), server).get("error", {})
        if error.code == 401:
            raise Unidentified(str(refused.get("message"))) from error
        raise InvalidInput(
            f"'{server}' answered {error.code}: {refused.get('message', 'no reason')}"
        ) from error
    except (OSError, HTTPException) as error:
        raise StorageError(f"'{server}' cannot be reached {_remedy(error)}") from error


def checked(server: str) -> str:
    """Return the address of a server without what follows its port.

    Raises:
        InvalidInput: it has another form.
    """
    if not re.fullmatch(r"https?://[^/\s?#@]+/?", server):
        raise InvalidInput(
            f"'{server}' is no address of a server; use https://HOST or https://HOST:PORT"
        )
    return server.rstrip("/")


def crosses_in_the_clear(server: str) -> bool:
    """Return whether a token would leave this machine without TLS."""
    parts = urlsplit(server)
    return parts.scheme == "http" and parts.hostname not in {"localhost", "127.0.0.1", "::1"}


def entry(server: str, project: str | None) -> Entry:
    """Return how a client starts what answers it from a server; it names no credential.

    Args:
        server: Address of the server.
        project: Name or repository id; None for that of the folder the client works in.
    """
    start = configuring.command_line(None, project)
    return Entry(start[0], (*start[1:], "serve", "--server", server))


def _remedy(error: OSError | HTTPException) -> str:
    reason = getattr(error, "reason", None) or error
    if isinstance(reason, SSLCertVerificationError):
        return (
            f"({reason.verify_message}); with an authority of your own, let SSL_CERT_FILE name "
            "its certificate"
        )
    return f"({reason}); check the address and the network"


def _answer(body: bytes, server: str) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InvalidInput(f"what answers at '{server}' is no server of project-memory")
    return found
