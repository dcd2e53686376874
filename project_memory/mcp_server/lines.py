"""Answer a line of input that is no JSON-RPC message."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
from pydantic import ValidationError

_NO_JSON = "the line is no JSON; send one message on one line"
_NOT_TAKEN = (
    "the line holds half of a surrogate pair, a number without end, or is nested too deep; "
    "send whole characters, and at most 100 levels"
)
_NO_MESSAGE = (
    'the line is no JSON-RPC message; send {"jsonrpc": "2.0", "id", "method", "params": {}} '
    "on one line"
)


def refusal(error: Exception) -> types.JSONRPCError | None:
    """Return the answer to a line that could not be read; None to a blank one.

    The answer carries the request's id where the line shows one, so that its sender does not
    wait for ever.
    """
    details = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    if not details:
        return _answer(types.PARSE_ERROR, _NO_JSON, None)
    if details[0]["type"] != "json_invalid":
        # each reading of the line fails on its own member; one of them holds the line as a whole
        whole = next((d["input"] for d in details if len(d["loc"]) == 2 and _is_whole(d)), None)
        return _answer(types.INVALID_REQUEST, _NO_MESSAGE, whole)
    line = details[0]["input"]
    if not line.strip():
        return None
    read = _leniently(line)
    return _answer(types.PARSE_ERROR, _NO_JSON if read is None else _NOT_TAKEN, read)


def _is_whole(detail: Any) -> bool:
    return detail["type"] == "missing" and isinstance(detail["input"], dict)


def _leniently(line: str) -> Any:
    """Return what Python's parser reads; it takes half a surrogate pair, and deeper nesting."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _answer(code: int, message: str, given: Any) -> types.JSONRPCError:
    request = given.get("id") if isinstance(given, dict) else None
    known = isinstance(request, int | str) and not isinstance(request, bool)
    return types.JSONRPCError(
        jsonrpc="2.0",
        id=request if known else None,
        error=types.ErrorData(code=code, message=message),
    )
