"""Lines of JSON on stderr: what happened, never what was said, nor with which credential."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

REQUESTS = "project_memory.web.requests"
"""Name of the logger of requests."""

_QUIET = ("mcp", "sse_starlette", "anyio", "asyncio")
"""What these say can hold sessions and texts."""


class Lines(logging.Formatter):
    """One JSON object for each record; what an exception says is left out, its place is not."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter.format`."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["at"] = [f"{frame.filename}:{frame.lineno}" for frame in frames[-8:]]
        return json.dumps(line, ensure_ascii=False)


def configure(*, debug: bool) -> None:
    """Let every logger of this process write lines to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.DEBUG if debug else logging.INFO)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL)
