"""Resources: one memory as JSON, and the registry of labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

import mcp_types as types

from project_memory.app import ProjectMemory
from project_memory.errors import NotFound
from project_memory.mcp_server.fencing import NOTICE
from project_memory.model import as_json

SCHEME = "memory://"
LABELS = "labels"
_JSON = "application/json"


def uri(project: str, name: str) -> str:
    """Return the address of a memory, or of the labels, of a project."""
    return f"{SCHEME}{quote(project, safe='')}/{name}"


def listed(project: str) -> list[types.Resource]:
    """Return the resources that need no id."""
    return [
        types.Resource(
            uri=uri(project, LABELS),
            name="labels",
            title="Labels",
            description="Registered labels by prefix, with counts.",
            mime_type=_JSON,
        )
    ]


def templates() -> list[types.ResourceTemplate]:
    """Return the addresses that are filled in."""
    return [
        types.ResourceTemplate(
            uri_template=f"{SCHEME}{{project}}/{{id}}",
            name="memory",
            title="One memory",
            description="A memory with what the store keeps beside it.",
            mime_type=_JSON,
        )
    ]


def read(opened: Callable[[], ProjectMemory], address: str) -> types.ReadResourceResult:
    """Return a resource of the project that is served.

    Raises:
        NotFound: the address names another project, or nothing.
    """
    memory = opened()
    project, _, name = address.removeprefix(SCHEME).partition("/")
    known = {memory.project, getattr(opened, "project", memory.project)}
    if not address.startswith(SCHEME) or unquote(project) not in known:
        raise NotFound(f"no resource '{address}'; this server has {uri(memory.project, '{id}')}")
    name = unquote(name)
    value: Any = memory.labels() if name == LABELS else memory.get(name)
    text = json.dumps({"notice": NOTICE, **as_json(value)}, ensure_ascii=False)
    content = types.TextResourceContents(uri=address, mime_type=_JSON, text=text)
    return types.ReadResourceResult(contents=[content])
