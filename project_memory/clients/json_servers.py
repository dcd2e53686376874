"""Configurations with a JSON object ``mcpServers``: name -> {command, args}."""

from __future__ import annotations

import json
import re
from typing import Any

from project_memory.clients.entry import SERVER_NAME, Entry
from project_memory.errors import InvalidInput


def with_server(text: str, entry: Entry) -> str:
    """Return the configuration with our server in it; everything else stays as it is.

    Raises:
        InvalidInput: the text is not a JSON object, or `mcpServers` is none.
    """
    config = _object(text)
    servers = config.setdefault("mcpServers", {})
    if not isinstance(servers, dict):
        raise InvalidInput("'mcpServers' is not an object; correct it by hand and run this again")
    wanted = {"command": entry.command, "args": list(entry.args)}
    present = servers.get(SERVER_NAME)
    if isinstance(present, dict) and {k: present.get(k) for k in wanted} == wanted:
        return text
    servers[SERVER_NAME] = {**(present if isinstance(present, dict) else {}), **wanted}
    return json.dumps(config, ensure_ascii=False, indent=_indent(text)) + "\n"


def _object(text: str) -> dict[str, Any]:
    try:
        config = json.loads(text.removeprefix("\ufeff")) if text.strip() else {}
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"line {error.lineno} column {error.colno} is not JSON ({error.msg}); "
            "correct it by hand and run this again"
        ) from error
    if not isinstance(config, dict):
        raise InvalidInput("it holds no JSON object; correct it by hand and run this again")
    return config


def _indent(text: str) -> int | str:
    match = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return match[1] if match else 2
