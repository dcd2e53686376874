"""``serve``: the MCP server on standard input and output."""

from __future__ import annotations

from dataclasses import replace

from project_memory.cli.command import command
from project_memory.cli.session import actor, project
from project_memory.cli.settings import settings
from project_memory.model import Authority


@command(
    "serve",
    examples=(
        "project-memory serve",
        "project-memory serve --project github.com/acme/shop --actor codex",
    ),
)
def serve() -> None:
    """Serve agents over MCP on standard streams.

    An agent client starts this; see project-memory setup --help.
    """
    from project_memory.mcp_server import serve_stdio  # noqa: PLC0415

    # whoever starts it, what comes through this channel is an agent's word
    speaker = replace(actor(), authority=Authority.AGENT)
    serve_stdio(settings().store, project(), speaker)
