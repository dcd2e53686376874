"""Run one tool call: check its arguments, make the call, shape the answer."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types

from project_memory.fencing import NOTICE
from project_memory.mcp_server.arguments import checked
from project_memory.mcp_server.source import Source
from project_memory.mcp_server.tools import Tool
from project_memory.mcp_server.translation import for_agents, tool_result
from project_memory.model import as_json


def called(source: Source, tool: Tool, given: Any) -> types.CallToolResult:
    """Return the result of a tool call; a failure is a result too."""
    return tool_result(lambda: _result(source, tool, given), remote=source.remote)


def noted(result: Any) -> dict[str, Any]:
    """Return a result as JSON data that begins by saying what it is."""
    data = {"notice": NOTICE, **as_json(result)}
    if "notes" in data:
        data["notes"] = [for_agents(note) for note in data["notes"]]
    return data


def compact(data: Any) -> str:
    """Return JSON data as text without white space, in its own script."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _result(source: Source, tool: Tool, given: Any) -> types.CallToolResult:
    arguments = checked(tool.name, given)
    data = noted(tool.call(source(), **arguments))
    content = types.TextContent(type="text", text=compact(data))
    return types.CallToolResult(content=[content], structured_content=data)
