"""Who asks, for which project, and what each request needs of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from project_memory.mcp_server.source import Source
from project_memory.mcp_server.tools import BY_NAME
from project_memory.roles import Right


def _allow(_: Right) -> None:
    """Let everything through: whoever starts a server on standard streams holds the store."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose request is answered.

    Attributes:
        source: The project that it is about, in the caller's name.
        check: Raises `Forbidden` unless the caller has a right.
    """

    source: Source
    check: Callable[[Right], None] = _allow


NEEDS: Mapping[str, Right] = MappingProxyType(
    {
        "initialize": Right.READ,
        "ping": Right.READ,
        "server/discover": Right.READ,
        "tools/list": Right.READ,
        "resources/list": Right.READ,
        "resources/templates/list": Right.READ,
        "resources/read": Right.READ,
        "prompts/list": Right.READ,
        "prompts/get": Right.READ,
        "completion/complete": Right.READ,
        "notifications/initialized": Right.READ,
        "notifications/cancelled": Right.READ,
        "notifications/progress": Right.READ,
        "notifications/roots/list_changed": Right.READ,
    }
)
"""Method -> what it needs. Any other needs the most there is; tools have their own needs."""


def need(method: str, params: Any) -> Right:
    """Return what a request or notification needs of its caller."""
    if method != "tools/call":
        return NEEDS.get(method, Right.ADMINISTER)
    name = params.get("name") if isinstance(params, Mapping) else None
    tool = BY_NAME.get(name) if isinstance(name, str) else None
    return Right.READ if tool is not None and tool.read_only else Right.WRITE
