"""Streamable HTTP: sessions for clients that keep one, single requests for those that do not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import pydantic_core
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from project_memory.errors import InvalidInput
from project_memory.mcp_server.caller import Caller, need
from project_memory.mcp_server.server import build_shared_server
from project_memory.mcp_server.turns import Turns
from project_memory.roles import Right

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_CALLER = "project_memory.caller"
_SESSION = b"mcp-session-id"


@dataclass(frozen=True, slots=True)
class Message:
    """What the body of a request asks.

    Attributes:
        method: Method of the request or notification; None for an answer, and for no body.
        tool: Name of the tool that is called, or None.
        right: What it needs of its caller.
    """

    method: str | None
    tool: str | None
    right: Right


class Endpoint:
    """Answers what agents send; whoever uses it has found out who they are."""

    def __init__(self, largest: int, turns: Turns) -> None:
        """Take bodies of at most `largest` bytes; tools take `turns`."""
        server = build_shared_server(_caller, turns)
        # An answer is one JSON document: a stream would be cut when the server ends.
        self._sessions = StreamableHTTPSessionManager(
            server, json_response=True, max_request_body_size=largest
        )
        # one who was never given a session does not get one by asking for something
        self._single = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=largest
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer while this is open; once."""
        async with self._sessions.run(), self._single.run():
            yield

    async def answer(
        self, scope: Scope, receive: Receive, send: Send, *, message: Message, caller: Caller
    ) -> None:
        """Answer one request; a session is of one actor and one project, and of no other."""
        name, project = caller.source().actor.name, caller.source.project
        principal = AccessToken(
            token="", client_id=name, scopes=[], subject=project
        )  # none is kept
        told = {**scope, "user": AuthenticatedUser(principal), _CALLER: caller}
        in_session = any(header == _SESSION for header, _ in scope["headers"])
        alone = scope["method"] == "POST" and message.method != "initialize" and not in_session
        manager = self._single if alone else self._sessions
        await manager.handle_request(told, receive, send)


def read(body: bytes) -> Message:
    """Return what a body asks; it is read as the protocol's own library reads it.

    Raises:
        InvalidInput: it is a batch, which this protocol has no more.
    """
    try:
        given = pydantic_core.from_json(body) if body else None
    except ValueError:
        return Message(None, None, Right.READ)  # the protocol has its own answer to that
    if isinstance(given, list):
        raise InvalidInput("the body is a JSON array; send one JSON-RPC message at a time")
    fields = given if isinstance(given, dict) else {}
    method, params = fields.get("method"), fields.get("params")
    if not isinstance(method, str):
        return Message(None, None, Right.READ)
    named = params.get("name") if method == "tools/call" and isinstance(params, dict) else None
    return Message(method, named if isinstance(named, str) else None, need(method, params))


def _caller(context: ServerRequestContext[Any, Any]) -> Caller:
    assert context.request is not None
    caller = context.request.scope[_CALLER]
    assert isinstance(caller, Caller)
    return caller
