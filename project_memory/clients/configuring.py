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

    A dry run returns the same and writes nothing.

    Raises:
        InvalidInput: a file cannot be read, understood or written.
    """
    return [
        _configured(CLIENTS[name], folder, entry, with_skills=with_skills, dry_run=dry_run)
        for name in names
    ]


def advice(folder: Path, done: Iterable[Configured], entry: Entry) -> list[str]:
    """Return what to do with files of a repository that were added or changed, a sentence each."""
    if not (folder / ".git").exists():
        return []
    changed = [(CLIENTS[each.client], each) for each in done]
    copied = {c.skills for c, each in changed if {*each.skills.values()} - {"unchanged"}}
    configs = {c.config for c, each in changed if each.change != "unchanged"}
    if _is_portable(entry):
        copied, configs = copied | configs, set()
    told = []
    if copied:
        told.append(f"commit {_listed(copied)}, so that all who work here have them")
    if configs:
        told.append(
            f"leave {_listed(configs)} out of commits: what they start, "
            f"'{' '.join((entry.command, *entry.args))}', names files of this machine"
        )
    return told


def _is_portable(entry: Entry) -> bool:
    return entry.command == SERVER_NAME and "--store" not in entry.args


def _listed(names: Iterable[str]) -> str:
    *rest, last = sorted(names)
    return f"{', '.join(rest)} and {last}" if rest else last


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
    copy = skills.planned if dry_run else skills.install
    copied = copy(folder / client.skills) if with_skills else {}
    return Configured(client.name, str(config), change, copied)
