"""Requests that a server elsewhere answers, or does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp.shared.message import SessionMessage

from project_memory.mcp_server.bridge import Bridge

pytestmark = pytest.mark.anyio
SERVER = "https://memory.example"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def request(number: int, method: str = "ping", **params: Any) -> SessionMessage:
    return SessionMessage(
        types.JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params)
    )


def cancelled(number: int) -> SessionMessage:
    params = {"requestId": number}
    return SessionMessage(
        types.JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params)
    )


def result(asked: httpx2.Request, **fields: Any) -> httpx2.Response:
    given = json.loads(asked.content)
    return httpx2.Response(200, json={"jsonrpc": "2.0", "id": given["id"], "result": fields})


async def told(
    answer: Callable[[httpx2.Request], httpx2.Response], *messages: SessionMessage
) -> list[Any]:
    """Return what an agent is told that says this, one message after another."""
    bridge = Bridge(SERVER, "github.com/acme/shop", "pmt_1", httpx2.MockTransport(answer))
    given, taken = anyio.create_memory_object_stream[SessionMessage](0)
    answers, read = anyio.create_memory_object_stream[SessionMessage](10)
    found = []
    async with given, taken, answers, read, anyio.create_task_group() as tasks:
        tasks.start_soon(bridge.serve, taken, answers)
        for message in messages:
            await given.send(message)
            if isinstance(message.message, types.JSONRPCRequest):
                found.append((await read.receive()).message)
        await given.aclose()
    return found


async def error_of(answer: Callable[[httpx2.Request], httpx2.Response]) -> str:
    (found,) = await told(answer, request(7))
    assert isinstance(found, types.JSONRPCError)
    assert found.id == 7
    return found.error.message


async def test_a_request_goes_to_the_project_with_the_token_and_comes_back_under_its_id() -> None:
    asked: list[httpx2.Request] = []

    def answer(sent: httpx2.Request) -> httpx2.Response:
        asked.append(sent)
        return result(sent, answers=[])

    (found,) = await told(answer, request(7, "tools/call", name="recall", arguments={"limit": 2}))
    assert (found.id, found.result) == (7, {"answers": []})
    (sent,) = asked
    assert str(sent.url) == f"{SERVER}/mcp?project=github.com%2Facme%2Fshop"
    assert sent.headers["authorization"] == "Bearer pmt_1"
    assert json.loads(sent.content)["params"] == {"name": "recall", "arguments": {"limit": 2}}


async def test_what_was_agreed_on_is_said_with_every_later_request_and_no_session_is_kept() -> (
    None
):
    asked: list[httpx2.Request] = []

    def answer(sent: httpx2.Request) -> httpx2.Response:
        asked.append(sent)
        if sent.method == "DELETE":
            return httpx2.Response(200)
        response = result(sent, protocolVersion="2025-06-18")
        if json.loads(sent.content)["method"] == "initialize":
            response.headers["mcp-session-id"] = "s1"
        return response

    await told(answer, request(1, "initialize"), request(2, "tools/call", name="recall"))
    first, ended, second = asked
    assert "mcp-protocol-version" not in first.headers
    assert (ended.method, ended.headers["mcp-session-id"]) == ("DELETE", "s1")
    assert second.headers["mcp-protocol-version"] == "2025-06-18"
    assert (second.headers["mcp-method"], second.headers["mcp-name"]) == ("tools/call", "recall")
    assert "mcp-session-id" not in second.headers


async def test_a_request_that_says_its_version_itself_is_sent_under_that() -> None:
    asked: list[httpx2.Request] = []

    def answer(sent: httpx2.Request) -> httpx2.Response:
        asked.append(sent)
        return result(sent)

    meta = {types.PROTOCOL_VERSION_META_KEY: "2026-07-28"}
    await told(answer, request(1, "resources/read", uri="memory://shop/größe", _meta=meta))
    assert asked[0].headers["mcp-protocol-version"] == "2026-07-28"
    assert asked[0].headers["mcp-name"].startswith("=?base64?")


async def test_a_request_that_is_cancelled_is_given_up() -> None:
    begun, given_up = anyio.Event(), anyio.Event()

    async def answer(sent: httpx2.Request) -> httpx2.Response:
        begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            given_up.set()
        return result(sent)

    bridge = Bridge(SERVER, "shop", "pmt_1", httpx2.MockTransport(answer))
    given, taken = anyio.create_memory_object_stream[SessionMessage](0)
    answers, read = anyio.create_memory_object_stream[SessionMessage](10)
    with anyio.fail_after(20):
        async with given, taken, answers, read, anyio.create_task_group() as tasks:
            tasks.start_soon(bridge.serve, taken, answers)
            await given.send(request(7))
            await begun.wait()
            await given.send(cancelled(8))
            await given.send(cancelled(7))
            await given_up.wait()
            await given.aclose()
    assert answers.statistics().current_buffer_used == 0


async def test_a_refusal_is_told_in_the_words_of_the_server() -> None:
    body = {"error": {"code": "unidentified", "message": "the token was revoked"}}
    assert await error_of(lambda _: httpx2.Response(401, json=body)) == (
        "'https://memory.example' refused this: the token was revoked"
    )


async def test_an_error_of_the_protocol_is_passed_on() -> None:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32602, "message": "no such tool"}}
    assert await error_of(lambda _: httpx2.Response(400, json=body)) == "no such tool"


async def test_a_server_out_of_reach_is_no_empty_store() -> None:
    def answer(_: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("connection refused")

    assert await error_of(answer) == (
        "'https://memory.example' cannot be reached (connection refused), which is not an empty "
        "store: tell the person"
    )


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"error": "no"}', b"\xff"])
async def test_something_else_at_the_address_is_told(body: bytes) -> None:
    assert await error_of(lambda _: httpx2.Response(502, content=body)) == (
        "what answers at 'https://memory.example' is no server of project-memory (status 502); "
        "check the address"
    )


async def test_a_request_in_place_of_an_answer_is_none() -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}
    assert await error_of(lambda _: httpx2.Response(200, json=body)) == (
        "'https://memory.example' answered with what is no answer"
    )
