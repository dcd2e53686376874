"""Standard streams that answer a bad line, finish what was asked, and carry messages alone."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import asynccontextmanager, redirect_stdout
from typing import Protocol, TypeAlias

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from project_memory.mcp_server.lines import refusal

GRACE = 0.5
"""Seconds that requests may still take after the input has closed."""

Item: TypeAlias = SessionMessage | Exception
Streams: TypeAlias = tuple[MemoryObjectReceiveStream[Item], MemoryObjectSendStream[SessionMessage]]


class Wire(Protocol):
    """What carries messages to the client."""

    async def send(self, item: SessionMessage, /) -> None:
        """Send one message."""
        ...

    async def aclose(self) -> None:
        """Send no more."""
        ...


@asynccontextmanager
async def standard_streams(ended: Callable[[], None]) -> AsyncIterator[Streams]:
    """Yield (messages, answers) on standard input and output; call `ended` when the input closes.

    While they are open, whatever else writes to standard output reaches stderr: a client reads
    nothing but JSON-RPC.
    """
    async with stdio_server() as (read, write):
        printed = sys.stdout
        printed.flush()  # what is buffered follows the descriptor, which leads to stderr here
        try:
            with redirect_stdout(sys.stderr):
                async with relayed(read, write, ended) as streams:
                    yield streams
        finally:
            printed.flush()


@asynccontextmanager
async def relayed(
    read: AsyncIterable[Item], write: Wire, ended: Callable[[], None]
) -> AsyncIterator[Streams]:
    """Yield streams that answer what is no message, and end only when requests are answered."""
    incoming, messages = anyio.create_memory_object_stream[Item](0)
    answers, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    pending = _Pending()

    async def take() -> None:
        async with incoming:
            async for item in read:
                if isinstance(item, SessionMessage):
                    pending.asked(item.message)
                    await incoming.send(item)
                elif (answer := refusal(item)) is not None:
                    await write.send(SessionMessage(answer))
            ended()
            await pending.settled()

    async def give() -> None:
        async with outgoing:
            async for item in outgoing:
                await write.send(item)
                pending.answered(item.message)
        await write.aclose()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(take)
        tasks.start_soon(give)
        async with messages, answers:
            yield messages, answers


class _Pending:
    """The requests that wait for their answer."""

    def __init__(self) -> None:
        self._ids: set[types.RequestId | None] = set()
        self._settled = anyio.Event()

    def asked(self, message: types.JSONRPCMessage) -> None:
        match message:
            case types.JSONRPCRequest(id=request):
                self._ids.add(request)
            case types.JSONRPCNotification(
                method="notifications/cancelled", params={"requestId": int() | str() as request}
            ):
                self._ids.discard(request)

    def answered(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._ids.discard(message.id)
            if not self._ids:
                self._settled.set()
                self._settled = anyio.Event()

    async def settled(self) -> None:
        """Wait until every request is answered, or for `GRACE`."""
        if self._ids:
            with anyio.move_on_after(GRACE):
                await self._settled.wait()
