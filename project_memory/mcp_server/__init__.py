"""The MCP server: tools, resources, prompts and completions for agents, over stdio.

`mcp` takes a second to import, so that nothing here imports it before a server starts.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any

from project_memory.model import Actor, Authority

__all__ = ["serve_bridge", "serve_stdio"]

_PATIENCE = 0.7
"""Seconds after the input has closed when the process ends, whatever still runs."""


def serve_stdio(store_url: str | None, project: str, actor: Actor) -> None:
    """Serve a project on standard input and output until the input closes; ends the process.

    The store is opened by the first call, so that a missing one is an error an agent can read.
    Whoever the actor is, what comes through this channel is an agent's word.
    """
    with redirect_stdout(sys.stderr):  # an import may print too
        from project_memory.mcp_server.server import build_server  # noqa: PLC0415
        from project_memory.mcp_server.source import LazySource  # noqa: PLC0415

    source = LazySource(store_url, project, replace(actor, authority=Authority.AGENT))
    server = build_server(source)

    async def serve(messages: Any, answers: Any) -> None:
        await server.run(messages, answers, server.create_initialization_options())

    _serve(serve, source.close)


def serve_bridge(server: str, project: str, token: str) -> None:
    """Answer standard input and output from a server elsewhere; ends the process.

    Args:
        server: Address of the server.
        project: Name or repository id of the project that is meant.
        token: What the server is asked with.
    """
    with redirect_stdout(sys.stderr):
        from project_memory.mcp_server.bridge import Bridge  # noqa: PLC0415

    _serve(Bridge(server, project, token).serve, lambda: None)


def _serve(serve: Callable[[Any, Any], Awaitable[None]], close: Callable[[], None]) -> None:
    with redirect_stdout(sys.stderr):
        import anyio  # noqa: PLC0415

        from project_memory.mcp_server.transport import standard_streams  # noqa: PLC0415

    async def serve_streams() -> None:
        async with standard_streams(_end_soon) as (messages, answers):
            await serve(messages, answers)

    # the thread that reads lines cannot be interrupted; every change is one transaction
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.freeze()  # what is loaded now lives as long as the server
    try:
        anyio.run(serve_streams)
    except* BrokenPipeError:
        pass  # the client went away without closing the input first
    close()
    # no thread may keep the process
    os._exit(0)


def _end_soon() -> None:
    last = threading.Timer(_PATIENCE, os._exit, (0,))
    last.daemon = True
    last.start()
