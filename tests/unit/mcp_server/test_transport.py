"""Relayed streams: bad lines answered, requests finished before the end."""

from __future__ import annotations

from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.shared.message import SessionMessage

from project_memory.mcp_server.transport import relayed

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def request(number: int) -> SessionMessage:
    return SessionMessage(types.JSONRPCRequest(jsonrpc="2.0", id=number, method="ping"))


def answer(number: int) -> SessionMessage:
    return SessionMessage(types.JSONRPCResponse(jsonrpc="2.0", id=number, result={}))


def cancelled(number: int) -> SessionMessage:
    return SessionMessage(
        types.JSONRPCNotification(
            jsonrpc="2.0", method="notifications/cancelled", params={"requestId": number}
        )
    )


class Wire:
    """Both ends of the streams that a process would have."""

    def __init__(self) -> None:
        self.typed, self.read = anyio.create_memory_object_stream[Any](9)
        self.write, self.shown = anyio.create_memory_object_stream[SessionMessage](9)
        self.ended = 0

    def end(self) -> None:
        self.ended += 1

    def ids(self) -> list[Any]:
        found = []
        while self.shown.statistics().current_buffer_used:
            found.append(self.shown.receive_nowait().message.id)
        return found

    async def aclose(self) -> None:
        for stream in (self.typed, self.read, self.write, self.shown):
            await stream.aclose()


async def test_a_bad_line_is_answered_and_the_next_one_passed_on() -> None:
    wire = Wire()
    async with relayed(wire.read, wire.write, wire.end) as (messages, answers):
        await wire.typed.send(ValueError("no message"))
        await wire.typed.send(request(1))
        assert (await messages.receive()).message.id == 1
        await answers.send(answer(1))
        await wire.typed.aclose()
    assert wire.ids() == [None, 1]
    assert wire.ended == 1
    await wire.aclose()


async def test_the_messages_end_only_when_every_request_is_answered() -> None:
    wire = Wire()
    async with relayed(wire.read, wire.write, wire.end) as (messages, answers):
        for message in (request(1), request(2), request(3), cancelled(3)):
            await wire.typed.send(message)
        await wire.typed.aclose()
        received = [(await messages.receive()).message for _ in range(4)]
        await answers.send(answer(2))
        await answers.send(answer(1))
        with pytest.raises(anyio.EndOfStream):
            await messages.receive()
    assert len(received) == 4
    assert wire.ids() == [2, 1]
    await wire.aclose()


async def test_a_request_that_hangs_holds_the_end_back_only_for_a_while() -> None:
    wire = Wire()
    with anyio.fail_after(2):
        async with relayed(wire.read, wire.write, wire.end) as (messages, _):
            await wire.typed.send(request(1))
            await wire.typed.aclose()
            await messages.receive()
            with pytest.raises(anyio.EndOfStream):
                await messages.receive()
    await wire.aclose()
