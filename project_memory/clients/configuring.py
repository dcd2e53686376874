"""Set up the clients of one project: configuration and skills."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from project_memory.clients import CLIENTS, SERVER_NAME, Client, Entry, skills
from project_memory.clients.writing import connect


@dataclass(frozen=True, slots=True)
class Configured:
    """What was done for one client.

    Attributes:
        client: Its name.
        config: Path of its configuration file.
        change: added, updated or unchanged.
        skills: Skill name -> added, refreshed or unchanged; empty when skills were not asked for.
    """

    client: str
    config: str
    change: str
    skills: Mapping[str, str]


def found_clients(folder: Path, home: Path) -> list[str]:
    """Return the names of the clients that a project or its user already uses."""
    return [
        client.name
        for client in CLIENTS.values()
        if any((place / client.marker).exists() for place in (folder, home))
        or (folder / client.config).exists()
    ]


def configure(
    folder: Path, names: Iterable[str], entry: Entry, *, with_skills: bool, dry_run: bool
) -> list[Configured]:
    """Write the server into each named client's project configuration, and copy the skills.

    Raises:
        InvalidInput: a file cannot be read, understood or written.
    """
    return [
        _configured(CLIENTS[name], folder, entry, with_skills=with_skills, dry_run=dry_run)
        for name in names
    ]


def server_entry(store: str | None) -> Entry:
    """Return how a client starts the server: by name where the shell finds it, else by path."""
    known = shutil.which(SERVER_NAME)
    start = (SERVER_NAME,) if known else (sys.executable, "-m", "project_memory")
    chosen = ("--store", store) if store else ()
    return Entry(start[0], (*start[1:], *chosen, "serve"))


def _configured(
    client: Client, folder: Path, entry: Entry, *, with_skills: bool, dry_run: bool
) -> Configured:
    config = client.config_in(folder)
    change = connect(client, config, entry, dry_run=dry_run)
    copied = skills.install(folder / client.skills) if with_skills and not dry_run else {}
    return Configured(client.name, str(config), change, copied)
