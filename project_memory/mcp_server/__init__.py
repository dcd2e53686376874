"""The MCP server: tools, resources, prompts and completions for agents, over stdio.

`mcp` takes a second to import, so that nothing here imports it before a server starts.
"""

from __future__ import annotations

import gc
import os
import sys

from project_memory.model import Actor

__all__ = ["serve_stdio"]


def serve_stdio(store_url: str | None, project: str, actor: Actor) -> None:
    """Serve a project on standard input and output until the input closes.

    The store is opened by the first call, so that a missing one is an error an agent can read.
    """
    import anyio  # noqa: PLC0415

    from project_memory.mcp_server.opening import Opening  # noqa: PLC0415
    from project_memory.mcp_server.server import build_server  # noqa: PLC0415
    from project_memory.mcp_server.transport import standard_streams  # noqa: PLC0415

    opening = Opening(store_url, project, actor)
    server = build_server(opening)

    async def serve() -> None:
        async with standard_streams() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    gc.freeze()  # what is loaded now lives as long as the server
    try:
        anyio.run(serve)
    finally:
        opening.close()
    sys.stdout.flush()
    # a worker thread that still waits for input must not keep the process
    os._exit(0)
