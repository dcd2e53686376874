"""An agent's standard streams, answered by a server elsewhere.

A client then needs no credential and no support of HTTP. Each request is one request there, and
no session is kept: a server that was restarted meanwhile is met as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Any, Protocol
from urllib.parse import quote

import anyio
import httpx2
import mcp_types as types
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

_SESSION = "mcp-session-id"
_TIMEOUT = httpx2.Timeout(300.0, connect=10.0)
"""Seconds; the first question to a large store may take its while."""


class Answers(Protocol):
    """What takes messages to the agent."""

    async def send(self, item: SessionMessage, /) -> None:
        """Send one message."""
        ...


class Bridge:
    """Passes requests on to one project of a server, and its answers back."""

    def __init__(
        self,
        server: str,
        project: str,
        token: str,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """Speak to a server with a token; `transport` takes the place of the network in tests."""
        self._server, self._transport = server, transport
        self._url = f"{server}/mcp?project={quote(project, safe='')}"
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        self._version: str | None = None
        self._asking: dict[types.RequestId, anyio.CancelScope] = {}

    async def serve(self, messages: AsyncIterable[SessionMessage], answers: Answers) -> None:
        """Answer requests until there are no more of them.

        A notification is for a session, and there is none; but one that cancels ends its request.
        """
        async with (
            httpx2.AsyncClient(timeout=_TIMEOUT, transport=self._transport) as client,
            anyio.create_task_group() as tasks,
        ):
            async for item in messages:
                match item.message:
                    case types.JSONRPCRequest() as request:
                        tasks.start_soon(self._answer, client, request, answers)
                    case types.JSONRPCNotification(
                        method="notifications/cancelled", params={"requestId": named}
                    ) if named in self._asking:
                        self._asking[named].cancel()

    async def _answer(
        self, client: httpx2.AsyncClient, request: types.JSONRPCRequest, answers: Answers
    ) -> None:
        with anyio.CancelScope() as scope:
            self._asking[request.id] = scope
            try:
                answer = await self._asked(client, request)
            finally:
                del self._asking[request.id]
            await answers.send(SessionMessage(answer))

    async def _asked(
        self, client: httpx2.AsyncClient, request: types.JSONRPCRequest
    ) -> types.JSONRPCMessage:
        body = request.model_dump_json(by_alias=True, exclude_unset=True)
        headers = self._headers | self._told(request)
        try:
            response = await client.post(self._url, content=body, headers=headers)
            if _SESSION in response.headers:
                await client.delete(
                    self._url,
                    headers=self._headers | {_SESSION: response.headers[_SESSION]},
                )
        except httpx2.HTTPError as error:
            reason = str(error) or type(error).__name__
            return _failed(
                request.id,
                f"'{self._server}' cannot be reached ({reason}), which is not an empty store: "
                "tell the person",
            )
        answer = _read(response, request.id, self._server)
        if request.method == "initialize" and isinstance(answer, types.JSONRPCResponse):
            self._version = answer.result.get("protocolVersion")
        return answer

    def _told(self, request: types.JSONRPCRequest) -> dict[str, str]:
        """Return the headers that repeat what a request says, as its version asks for."""
        params = request.params or {}
        version = (params.get("_meta") or {}).get(types.PROTOCOL_VERSION_META_KEY, self._version)
        if not isinstance(version, str):
            return {}
        told = {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: request.method}
        name = params.get(NAME_BEARING_METHODS.get(request.method, ""))
        if isinstance(name, str):
            told[MCP_NAME_HEADER] = name
        return {header: encode_header_value(value) for header, value in told.items()}


def _read(
    response: httpx2.Response, request: types.RequestId, server: str
) -> types.JSONRPCMessage:
    """Return the message in an answer, under the id of its request."""
    try:
        message = jsonrpc_message_adapter.validate_json(response.content, by_name=False)
    except ValidationError:
        return _failed(request, _refusal(response, server))
    if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
        return message.model_copy(update={"id": request})
    return _failed(request, f"'{server}' answered with what is no answer")


def _refusal(response: httpx2.Response, server: str) -> str:
    """Return why a server refused a request, in its own words."""
    try:
        told: Any = response.json()["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return (
            f"what answers at '{server}' is no server of project-memory (status "
            f"{response.status_code}); check the address"
        )
    return f"'{server}' refused this: {told}"


def _failed(request: types.RequestId, message: str) -> types.JSONRPCError:
    return types.JSONRPCError(
        jsonrpc="2.0",
        id=request,
        error=types.ErrorData(code=types.INTERNAL_ERROR, message=message),
    )
