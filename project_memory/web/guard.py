"""What every request must be before anybody looks at it: path, Host, Origin, declared length."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from project_memory.web.address import Gates
from project_memory.web.bodies import drained
from project_memory.web.refusals import Refusal

LARGEST = 4 * 1024 * 1024
"""Bytes that a body may have."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")


class Guard:
    """Lets in what keeps to the form; a web page elsewhere, or another name, is none of it."""

    def __init__(self, app: ASGIApp, gates: Gates) -> None:
        self._app, self._gates = app, gates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http":
            try:
                _check_path(scope["path"])
                host = _checked_host(_values(scope, b"host"), self._gates)
                _check_origin(_values(scope, b"origin"), host, self._gates)
                _check_length(_values(scope, b"content-length"))
            except Refusal as refused:
                await drained(receive)
                await refused.response()(scope, receive, send)
                return
        await self._app(scope, receive, send)


def too_large() -> Refusal:
    """Return the refusal of a body that is too large."""
    return Refusal(
        413, "too-large", f"the body is larger than {LARGEST} bytes; send less in one request"
    )


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for header, value in scope["headers"] if header == name]


def _check_path(path: str) -> None:
    if any(segment in {".", ".."} for segment in re.split(r"[/\\]", path)):
        raise Refusal(400, "invalid-path", "the path leads upwards; name what you mean itself")


def _checked_host(given: list[str], gates: Gates) -> str:
    host = given[0].lower() if len(given) == 1 else ""
    found = _HOST.fullmatch(host)
    if found is None or found[1].strip("[]") not in gates.hosts:
        raise Refusal(
            421,
            "misdirected",
            f"'{host[:100]}' is no name of this server; use the address it was given to clients "
            "by, or let its administrator add the name with --allow-host",
        )
    return host


def _check_origin(given: list[str], host: str, gates: Gates) -> None:
    for origin in given:
        parts = urlsplit(origin.lower())
        own = parts.scheme in {"http", "https"} and parts.netloc == host
        if not own and origin.lower() not in gates.origins:
            raise Refusal(
                403,
                "foreign-origin",
                f"pages of '{origin[:100]}' may not ask this server; its administrator can let "
                "them with --allow-origin",
            )


def _check_length(given: list[str]) -> None:
    if not given:
        return
    if len(set(given)) > 1 or not re.fullmatch(r"[0-9]{1,18}", given[0]):
        raise Refusal(
            400, "invalid-length", "Content-Length is no number of bytes; send one, or none"
        )
    if int(given[0]) > LARGEST:
        raise too_large()
