"""Run one tool call: check, call, shape; every error becomes one that an agent can act on."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

import mcp_types as types

from project_memory.app import ProjectMemory
from project_memory.errors import ProjectMemoryError
from project_memory.mcp_server.arguments import checked
from project_memory.mcp_server.fencing import NOTICE
from project_memory.mcp_server.tools import BY_NAME
from project_memory.model import as_json

logger = logging.getLogger(__name__)


def called(
    opened: Callable[[], ProjectMemory], name: str, given: Mapping[str, Any] | None
) -> types.CallToolResult:
    """Return the result of a tool call; a failure is a result too."""
    try:
        return _done(_result(opened, name, given))
    except ProjectMemoryError as error:
        return _failed(_message(error))
    except RecursionError:
        return _failed("the arguments are nested too deep [invalid-input]")
    except Exception:
        # the outermost loop of a call: the server must outlive a defect in one tool
        logger.exception("tool %s failed", name)
        return _failed("internal error; the server's log says more [internal]")


def _result(
    opened: Callable[[], ProjectMemory], name: str, given: Mapping[str, Any] | None
) -> dict[str, Any]:
    tool = BY_NAME[name]
    arguments = checked(name, given)
    return {"notice": NOTICE, **as_json(tool.call(opened(), **arguments))}


def _done(value: dict[str, Any]) -> types.CallToolResult:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # a stored lone surrogate could not be sent; such text never enters a store
    content = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[content], structured_content=value)


def _failed(message: str) -> types.CallToolResult:
    content = types.TextContent(type="text", text=message)
    return types.CallToolResult(content=[content], is_error=True)


def _message(error: ProjectMemoryError) -> str:
    notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
    text = f"{error}{notes}"
    return text if text.endswith("]") else f"{text} [{error.code}]"
