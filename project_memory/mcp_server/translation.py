"""Turn what went wrong into what an agent can act on: the one place that does."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from project_memory import telling
from project_memory.errors import (
    InvalidArguments,
    InvalidDocument,
    ProjectMemoryError,
    StorageError,
)

logger = logging.getLogger(__name__)

_Answer = TypeVar("_Answer")
_INTERNAL = "internal error; the server's log on stderr says more [internal]"
# Remedies name commands and options of a terminal; an agent has tools and arguments for some.
_COMMANDS = (
    (re.compile(r"`project-memory list`"), "search_memories"),
    (re.compile(r"`project-memory show [^`]*`"), "get_memory"),
    (re.compile(r"`project-memory labels add [^`]*`"), "add_label"),
    (re.compile(r"`project-memory link [^`]*`"), "link_memories"),
    (re.compile(r"`project-memory unlink`"), "link_memories and remove"),
    (re.compile(r"`project-memory history undo`"), "undo"),
)
_OPTION = re.compile(r"\(--([a-z-]+)\)")


def tool_result(
    answer: Callable[[], types.CallToolResult], *, remote: bool = False
) -> types.CallToolResult:
    """Return the result of a tool, or the failure as one: an agent must see it to correct it.

    With `remote`, what failed in the store is told without its place, and the log has the rest.
    """
    try:
        return answer()
    except ProjectMemoryError as error:
        return failure(message(error, remote=remote))
    except Exception:
        # the outermost loop of a call: the server must outlive a defect in one tool
        logger.exception("a tool call failed")
        return failure(_INTERNAL)


def protocol_result(
    answer: Callable[[], _Answer], *, remote: bool = False, about: Mapping[str, str] | None = None
) -> _Answer:
    """Return the answer to any other request, or raise the failure as a protocol error.

    For `remote` see `tool_result`. What a mistake is `about` is told beside its message, but for
    what looks like a secret or is long.

    Raises:
        MCPError: the answer failed.
    """
    try:
        return answer()
    except StorageError as error:
        raise MCPError(types.INTERNAL_ERROR, message(error, remote=remote)) from error
    except ProjectMemoryError as error:
        data = telling.told_value(about) if about is not None else None
        raise MCPError(types.INVALID_PARAMS, message(error), data) from error
    except Exception as error:
        logger.exception("a request failed")
        raise MCPError(types.INTERNAL_ERROR, _INTERNAL) from error


def message(error: ProjectMemoryError, *, remote: bool = False) -> str:
    """Return what is wrong, what to do, and the error's code; for `remote` see `tool_result`."""
    if remote and isinstance(error, StorageError):
        logger.warning("the store failed", exc_info=error)
        return f"{error.from_afar} [{error.code}]"
    text = for_agents("; ".join([str(error), *getattr(error, "__notes__", ())]))
    if isinstance(error, InvalidArguments | InvalidDocument):
        return f"refused, nothing was done [{error.code}]\n{text}"
    return f"{text} [{error.code}]"


def for_agents(text: str) -> str:
    """Return our own words with tools and arguments in the place of commands and options."""
    for command, tool in _COMMANDS:
        text = command.sub(tool, text)
    return _OPTION.sub(lambda option: f"({option[1].replace('-', '_')})", text)


def failure(text: str) -> types.CallToolResult:
    """Return the result of a tool call that failed."""
    # echoed input may hold half of a surrogate pair, which could not be sent
    sendable = text.encode("utf-8", "backslashreplace").decode()
    content = types.TextContent(type="text", text=sendable)
    return types.CallToolResult(content=[content], is_error=True)
