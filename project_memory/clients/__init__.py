"""How each agent client is told of the server, and where it looks for skills.

One module a configuration format; `CLIENTS` is the table of clients. What it says of each is
checked against the documentation that docs/clients.md names.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from project_memory.clients import json_servers, toml_servers
from project_memory.clients.entry import SERVER_NAME, Entry, Format

__all__ = ["CLIENTS", "SERVER_NAME", "Client", "Entry", "Format"]


@dataclass(frozen=True, slots=True)
class Client:
    """One agent client.

    Attributes:
        name: What the command line calls it.
        title: What people call it.
        config: Its configuration file in a project, the preferred name first; or none.
        user_config: The user's own, relative to the home folder, the preferred name first.
        skills: Folder of skills in a project.
        markers: Files or folders of a project that show it in use.
        user_markers: The same in the home folder.
        hooks: Its file of hooks, in a project as in the home folder; None if it has none of ours.
        format: How its configuration holds servers.
    """

    name: str
    title: str
    config: Sequence[str]
    user_config: Sequence[str]
    skills: str
    markers: Sequence[str]
    user_markers: Sequence[str]
    format: Format
    hooks: str | None = None

    def config_in(self, folder: Path) -> Path | None:
        """Return the client's configuration file in a project, or None where it has none."""
        return _present(folder, self.config) if self.config else None

    def config_of_user(self, home: Path) -> Path:
        """Return the user's own configuration file."""
        return _present(home, self.user_config)


def _present(folder: Path, names: Sequence[str]) -> Path:
    """Return the first of these files that is there, else the first."""
    paths = [folder / name for name in names]
    return next((path for path in paths if path.exists()), paths[0])


def _code_folder(platform: str) -> str:
    """Return where Visual Studio Code keeps a user's settings, relative to the home folder."""
    known = {"darwin": "Library/Application Support", "win32": "AppData/Roaming"}
    return f"{known.get(platform, '.config')}/Code/User"


_ALL = (
    Client(
        name="claude",
        title="Claude Code",
        config=(".mcp.json",),
        user_config=(".claude.json",),
        skills=".claude/skills",
        markers=(".claude", ".mcp.json"),
        user_markers=(".claude",),
        hooks=".claude/settings.json",
        format=json_servers.servers_in("mcpServers", json_servers.plain),
    ),
    Client(
        name="codex",
        title="Codex",
        config=(".codex/config.toml",),
        user_config=(".codex/config.toml",),
        skills=".agents/skills",
        markers=(".codex",),
        user_markers=(".codex",),
        hooks=".codex/hooks.json",
        format=toml_servers.servers(),
    ),
    Client(
        name="cursor",
        title="Cursor",
        config=(".cursor/mcp.json",),
        user_config=(".cursor/mcp.json",),
        skills=".agents/skills",
        markers=(".cursor",),
        user_markers=(".cursor",),
        format=json_servers.servers_in("mcpServers", json_servers.typed),
    ),
    Client(
        name="vscode",
        title="VS Code",
        config=(".vscode/mcp.json",),
        user_config=(f"{_code_folder(sys.platform)}/mcp.json",),
        skills=".agents/skills",
        markers=(".vscode",),
        user_markers=(_code_folder(sys.platform),),
        format=json_servers.servers_in("servers", json_servers.typed),
    ),
    Client(
        name="gemini",
        title="Gemini CLI",
        config=(".gemini/settings.json",),
        user_config=(".gemini/settings.json",),
        skills=".agents/skills",
        markers=(".gemini",),
        user_markers=(".gemini/settings.json",),
        format=json_servers.servers_in("mcpServers", json_servers.plain),
    ),
    Client(
        name="windsurf",
        title="Windsurf",
        config=(),
        user_config=(".codeium/windsurf/mcp_config.json",),
        skills=".windsurf/skills",
        markers=(".windsurf",),
        user_markers=(".codeium/windsurf",),
        format=json_servers.servers_in("mcpServers", json_servers.plain),
    ),
    Client(
        name="opencode",
        title="opencode",
        config=("opencode.json", "opencode.jsonc", ".opencode/opencode.json",
                ".opencode/opencode.jsonc"),
        user_config=(".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"),
        skills=".agents/skills",
        markers=("opencode.json", "opencode.jsonc", ".opencode"),
        user_markers=(".config/opencode",),
        format=json_servers.opencode(),
    ),
)  # fmt: skip

CLIENTS: Mapping[str, Client] = MappingProxyType({client.name: client for client in _ALL})
