"""The MCP server: tools, resources, prompts and completions for agents, over stdio.

`mcp` takes a second to import, so that nothing here imports it before a server starts.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from contextlib import redirect_stdout
from dataclasses import replace

from project_memory.model import Actor, Authority

__all__ = ["serve_stdio"]

_PATIENCE = 0.7
"""Seconds after the input has closed when the process ends, whatever still runs."""


def serve_stdio(store_url: str | None, project: str, actor: Actor) -> None:
    """Serve a project on standard input and output until the input closes; ends the process.

    The store is opened by the first call, so that a missing one is an error an agent can read.
    Whoever the actor is, what comes through this channel is an agent's word.
    """
    with redirect_stdout(sys.stderr):  # an import may print too
        import anyio  # noqa: PLC0415

        from project_memory.mcp_server.server import build_server  # noqa: PLC0415
        from project_memory.mcp_server.source import LazySource  # noqa: PLC0415
        from project_memory.mcp_server.transport import standard_streams  # noqa: PLC0415

    source = LazySource(store_url, project, replace(actor, authority=Authority.AGENT))
    server = build_server(source)

    async def serve() -> None:
        async with standard_streams(_end_soon) as (messages, answers):
            await server.run(messages, answers, server.create_initialization_options())

    # the thread that reads lines cannot be interrupted; every change is one transaction
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.freeze()  # what is loaded now lives as long as the server
    try:
        anyio.run(serve)
    except* BrokenPipeError:
        pass  # the client went away without closing the input first
    source.close()
    # no thread may keep the process
    os._exit(0)


def _end_soon() -> None:
    last = threading.Timer(_PATIENCE, os._exit, (0,))
    last.daemon = True
    last.start()
