"""Standard streams on which a line that is no message is answered instead of dropped."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage
from pydantic import ValidationError


@asynccontextmanager
async def standard_streams() -> AsyncIterator[tuple[Any, Any]]:
    """Yield (read, write) streams of messages; JSON-RPC alone reaches standard output."""
    async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
        forward, messages = create_context_streams[SessionMessage | Exception](0)

        async def answer_bad_lines() -> None:
            async with forward:
                async for message in read:
                    if isinstance(message, Exception):
                        if not _is_blank(message):
                            await write.send(SessionMessage(_parse_error()))
                    else:
                        await forward.send(message)

        tasks.start_soon(answer_bad_lines)
        yield messages, write
        tasks.cancel_scope.cancel()


def _is_blank(error: Exception) -> bool:
    if not isinstance(error, ValidationError):
        return False
    given = error.errors()[0].get("input")
    return isinstance(given, str | bytes) and not given.strip()


def _parse_error() -> types.JSONRPCError:
    problem = types.ErrorData(
        code=types.PARSE_ERROR, message="the line is no JSON-RPC message; send one JSON object"
    )
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=problem)
