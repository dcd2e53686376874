"""Read a body whole, or away."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive

_DRAINED = 16 * 1024 * 1024
"""Bytes that are read and forgotten, so that who sends too much can read why it is refused."""


async def whole(receive: Receive, largest: int, refuse: Callable[[], Exception]) -> bytes:
    """Return a body of at most `largest` bytes; raise what `refuse` returns for a larger one."""
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        size, more = size + len(parts[-1]), message.get("more_body", False)
        if size > largest:
            if more:
                await drained(receive)
            raise refuse()
    return b"".join(parts)


async def drained(receive: Receive) -> None:
    """Read what is left of a body and forget it, within bounds."""
    size, more = 0, True
    while more and size < _DRAINED:
        message = await receive()
        size += len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)


def again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body that was read, and then whatever follows."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
