"""How each agent client is told of the server, and where it looks for skills.

One module a configuration format; `CLIENTS` is the table of clients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from project_memory.clients import json_servers, toml_servers
from project_memory.clients.entry import SERVER_NAME, Entry

__all__ = ["CLIENTS", "SERVER_NAME", "Client", "Entry"]


@dataclass(frozen=True, slots=True)
class Client:
    """One agent client.

    Attributes:
        name: What the command line calls it.
        title: What people call it.
        config: Configuration file, relative to the project or the home folder.
        user_config: The user's own configuration file, relative to the home folder.
        skills: Folder of skills in a project.
        marker: A file or folder that shows the client in use in a project or home folder.
        with_server: (text of the configuration, entry) -> its text with the server in it.
    """

    name: str
    title: str
    config: str
    user_config: str
    skills: str
    marker: str
    with_server: Callable[[str, Entry], str]

    def config_in(self, folder: Path) -> Path:
        """Return the client's configuration file in a project."""
        return folder / self.config


CLIENTS: Mapping[str, Client] = MappingProxyType(
    {
        client.name: client
        for client in (
            Client(
                name="claude",
                title="Claude Code",
                config=".mcp.json",
                user_config=".claude.json",
                skills=".claude/skills",
                marker=".claude",
                with_server=json_servers.with_server,
            ),
            Client(
                name="codex",
                title="Codex",
                config=".codex/config.toml",
                user_config=".codex/config.toml",
                skills=".agents/skills",
                marker=".codex",
                with_server=toml_servers.with_server,
            ),
        )
    }
)
