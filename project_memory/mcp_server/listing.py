"""What clients are told of each tool: manual, annotations, schemas."""

from __future__ import annotations

from functools import cache
from typing import Any

import mcp_types as types

from project_memory import resources
from project_memory.mcp_server.arguments import schema_name
from project_memory.mcp_server.tools import Tool

_FOR_FILES = frozenset({"$schema", "$id", "title"})
_NOTICE = {"notice": {"type": "string", "description": "how to take the text that follows"}}


def listed(tool: Tool) -> types.Tool:
    """Return a tool as `tools/list` describes it."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=input_schema(tool.name),
        output_schema=output_schema(tool.output),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


@cache
def input_schema(tool: str) -> dict[str, Any]:
    """Return the schema that a tool's arguments are held to."""
    return _without_file_keys(resources.schema(schema_name(tool)))


@cache
def output_schema(name: str) -> dict[str, Any]:
    """Return the schema of a result: that of ``--json``, after a notice."""
    schema = _without_file_keys(resources.schema(name))
    return schema | {
        "properties": _NOTICE | schema["properties"],
        "required": [*_NOTICE, *schema["required"]],
    }


def _without_file_keys(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in _FOR_FILES}
