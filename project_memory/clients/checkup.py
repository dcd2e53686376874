"""Check what clients are told: commands that exist, copies of skills that are current."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from project_memory.clients import CLIENTS, Client, skills
from project_memory.errors import InvalidInput
from project_memory.model import Check


def checkup(folder: Path, home: Path) -> list[Check]:
    """Return one check a client configuration and a folder of skill copies found here."""
    checks: list[Check] = []
    for client in CLIENTS.values():
        paths = {client.config_in(folder), client.config_of_user(home)}
        for path in sorted(path for path in paths if path is not None):
            checks += _config_checks(client, path)
    for place in dict.fromkeys(client.skills for client in CLIENTS.values()):
        checks += _skill_checks(folder / place)
    return checks


def _config_checks(client: Client, path: Path) -> Iterator[Check]:
    if not path.is_file():
        return
    name = f"{client.title} configuration"
    try:
        words = client.format.command(path.read_bytes().decode())
    except (InvalidInput, ValueError, OSError):
        yield Check(name, f"'{path}' cannot be read; correct it by hand", ok=False)
        return
    if not words:
        return
    if shutil.which(words[0]) is None:
        detail = f"'{path}' starts '{words[0]}', which is not there; run `project-memory setup`"
        yield Check(name, detail, ok=False)
    else:
        yield Check(name, f"'{path}' starts '{words[0]}'", ok=True)


def _skill_checks(place: Path) -> Iterator[Check]:
    copies = [name for name in skills.names() if (place / name).is_dir()]
    if not copies:
        return
    old = skills.outdated(place)
    name = "skills"
    if old:
        detail = f"outdated in '{place}': {', '.join(old)}; run `project-memory install-skills`"
        yield Check(name, detail, ok=False)
    else:
        yield Check(name, f"{len(copies)} current in '{place}'", ok=True)
