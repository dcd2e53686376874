"""Check what clients are told: commands that exist, copies of skills that are current."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomlkit
import tomlkit.exceptions

from project_memory.clients import CLIENTS, SERVER_NAME, Client, skills
from project_memory.model import Check


def checkup(folder: Path, home: Path) -> list[Check]:
    """Return one check a client configuration and a folder of skill copies found here."""
    checks: list[Check] = []
    for client in CLIENTS.values():
        for path in sorted({client.config_in(folder), home / client.user_config}):
            checks += _config_checks(client, path)
        checks += _skill_checks(client, folder)
    return checks


def _config_checks(client: Client, path: Path) -> Iterator[Check]:
    if not path.is_file():
        return
    name = f"{client.title} configuration"
    try:
        config = _parsed(path)
    except (ValueError, OSError, tomlkit.exceptions.ParseError):
        yield Check(name, f"'{path}' cannot be read; correct it by hand", ok=False)
        return
    servers = config.get("mcpServers", config.get("mcp_servers", {}))
    server = servers.get(SERVER_NAME) if isinstance(servers, dict) else None
    if not isinstance(server, dict):
        return
    command = str(server.get("command", ""))
    if shutil.which(command) is None:
        detail = f"'{path}' starts '{command}', which is not there; run `project-memory setup`"
        yield Check(name, detail, ok=False)
    else:
        yield Check(name, f"'{path}' starts '{command}'", ok=True)


def _parsed(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    found = tomlkit.parse(text).unwrap() if path.suffix == ".toml" else json.loads(text)
    if not isinstance(found, dict):
        raise ValueError(path.name)  # noqa: TRY004  # the file is at fault, not the type
    return found


def _skill_checks(client: Client, folder: Path) -> Iterator[Check]:
    place = folder / client.skills
    copies = [name for name in skills.names() if (place / name).is_dir()]
    if not copies:
        return
    old = skills.outdated(place)
    name = f"{client.title} skills"
    if old:
        detail = f"outdated in '{place}': {', '.join(old)}; run `project-memory install-skills`"
        yield Check(name, detail, ok=False)
    else:
        yield Check(name, f"{len(copies)} current in '{place}'", ok=True)
