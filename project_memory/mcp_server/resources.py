"""Resources: one memory as JSON, the registry of labels, and the brief as text."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

import mcp_types as types

from project_memory.errors import NotFound
from project_memory.mcp_server.calling import compact, noted
from project_memory.mcp_server.source import Source

SCHEME = "memory://"
LABELS = "@labels"  # the sign keeps it apart from every id
BRIEF = "@brief"
_JSON = "application/json"
_TEXT = "text/plain"


def listed(project: str) -> list[types.Resource]:
    """Return the resources that need no id."""
    return [
        types.Resource(
            uri=_address(project, LABELS),
            name="labels",
            title="Labels",
            description="Registered labels by prefix, with counts.",
            mime_type=_JSON,
        ),
        types.Resource(
            uri=_address(project, BRIEF),
            name="brief",
            title="Brief",
            description="What to know at the start of work: standing rules first.",
            mime_type=_TEXT,
        ),
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


def read(source: Source, address: str) -> types.ReadResourceResult:
    """Return a resource of the project that is served.

    Raises:
        NotFound: the address names another project, or nothing.
    """
    memory = source()
    project, _, name = map(unquote, address.removeprefix(SCHEME).partition("/"))
    if not address.startswith(SCHEME) or project not in {memory.project, source.project}:
        served = _address(memory.project, "{id}")
        raise NotFound(f"no resource '{address}'; this server has {served}")
    if name == BRIEF:
        kind, text = _TEXT, memory.brief().text
    else:
        found: Any = memory.labels() if name == LABELS else memory.get(name)
        kind, text = _JSON, compact(noted(found))
    content = types.TextResourceContents(uri=address, mime_type=kind, text=text)
    return types.ReadResourceResult(contents=[content])


def _address(project: str, name: str) -> str:
    return f"{SCHEME}{quote(project, safe='')}/{name}"
