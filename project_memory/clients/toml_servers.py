"""Configurations with TOML tables ``[mcp_servers.NAME]``; comments and order are kept."""

from __future__ import annotations

import tomlkit
import tomlkit.exceptions
from tomlkit.items import Table

from project_memory.clients.entry import SERVER_NAME, Entry
from project_memory.errors import InvalidInput


def with_server(text: str, entry: Entry) -> str:
    """Return the configuration with our server in it; everything else stays as it is.

    Raises:
        InvalidInput: the text is not TOML, or `mcp_servers` is no table.
    """
    try:
        config = tomlkit.parse(text)
    except tomlkit.exceptions.ParseError as error:
        raise InvalidInput(
            f"line {error.line} column {error.col} is not TOML; "
            "correct it by hand and run this again"
        ) from error
    servers = config.setdefault("mcp_servers", tomlkit.table(is_super_table=True))
    if not isinstance(servers, Table):
        raise InvalidInput("'mcp_servers' is not a table; correct it by hand and run this again")
    server = servers.setdefault(SERVER_NAME, tomlkit.table())
    wanted = {"command": entry.command, "args": list(entry.args)}
    for name, value in wanted.items():
        if server.get(name) != value:
            server[name] = value
    return tomlkit.dumps(config)
