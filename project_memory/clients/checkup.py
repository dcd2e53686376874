"""Check what clients are told: commands and stores that exist, skills that are current."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from project_memory.clients import CLIENTS, SERVER_NAME, Client, hooks, skills
from project_memory.errors import InvalidInput
from project_memory.model import Check

_SECONDS = 20.0


def checkup(folder: Path, home: Path) -> list[Check]:
    """Return one check a client configuration, a file of hooks and a folder of skill copies."""
    checks: list[Check] = []
    for client in CLIENTS.values():
        for base, of_user in ((folder, False), (home, True)):
            path = client.config_of_user(base) if of_user else client.config_in(base)
            remedy = f"run `project-memory connect {client.name}{' --user' if of_user else ''}"
            if path is not None:
                checks += _config_checks(client, path, f"{remedy}`")
            if client.hooks:
                checks += _hook_checks(client, base / client.hooks, f"{remedy} --hooks`")
    for place in dict.fromkeys(client.skills for client in CLIENTS.values()):
        checks += _skill_checks(folder / place)
    return list(dict.fromkeys(checks))


def command_check(version: str) -> Check:
    """Return whether what the shell finds by the command's name is this program."""
    found = shutil.which(SERVER_NAME)
    if found is None:
        detail = f"'{SERVER_NAME}' is not on the path; clients start it by its interpreter"
        return Check("command", detail, ok=True)
    told = _version_of(found)
    if told == version:
        return Check("command", f"'{found}' is version {told}", ok=True)
    other = f"version {told}; this one is {version}" if told else "another program"
    detail = f"'{found}', which clients start, is {other}; put this one before it on the path"
    return Check("command", detail, ok=False)


def token_checks(folder: Path) -> Iterator[Check]:
    """Yield a finding for each kept token that others can read."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_file() and path.stat().st_mode & 0o077:
            detail = f"others can read '{path}'; run `chmod 600 {shlex.quote(str(path))}`"
            yield Check("token", detail, ok=False)


def _version_of(command: str) -> str | None:
    """Return the version that a command tells in our words; None if it does not."""
    try:
        done = subprocess.run(  # noqa: S603  # found by our own name, no shell
            [command, "--version"], capture_output=True, check=False, text=True, timeout=_SECONDS
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    name, _, version = done.stdout.strip().partition(" ")
    return version if name == SERVER_NAME and version else None


def _config_checks(client: Client, path: Path, remedy: str) -> Iterator[Check]:
    name = f"{client.title} configuration"
    try:
        words = client.format.command(path.read_bytes().decode()) if path.is_file() else ()
    except (InvalidInput, ValueError, OSError):
        yield Check(name, f"'{path}' cannot be read; correct it by hand", ok=False)
        return
    if words:
        yield _started(name, path, words, remedy)


def _hook_checks(client: Client, path: Path, remedy: str) -> Iterator[Check]:
    name = f"{client.title} hooks"
    try:
        lines = hooks.commands(path.read_bytes().decode()) if path.is_file() else []
        starts = [shlex.split(line) for line in lines]
    except (InvalidInput, ValueError, OSError):
        yield Check(name, f"'{path}' cannot be read; correct it by hand", ok=False)
        return
    for words in dict.fromkeys(tuple(words[:-1]) for words in starts):
        yield _started(name, path, words, remedy)


def _started(name: str, path: Path, words: Sequence[str], remedy: str) -> Check:
    store = _store_of(words)
    if shutil.which(words[0]) is None:
        return Check(name, f"'{path}' starts '{words[0]}', which is not there; {remedy}", ok=False)
    if store is not None and "://" not in store and not Path(store).expanduser().exists():
        detail = f"'{path}' names the store '{store}', which is not there; {remedy}"
        return Check(name, detail, ok=False)
    return Check(name, f"'{path}' starts '{words[0]}'", ok=True)


def _store_of(words: Sequence[str]) -> str | None:
    named = (value for option, value in pairwise(words) if option in {"--store", "--database"})
    return next(named, None)


def _skill_checks(place: Path) -> Iterator[Check]:
    copies = [name for name in skills.names() if (place / name).is_dir()]
    if not copies:
        return
    old = skills.outdated(place)
    missing = sorted(set(skills.names()) - set(copies))
    named = (("outdated", old), ("missing", missing))
    faults = [f"{fault} in '{place}': {', '.join(names)}" for fault, names in named if names]
    if faults:
        remedy = f"run `project-memory install-skills --dest {shlex.quote(str(place))}`"
        yield Check("skills", "; ".join((*faults, remedy)), ok=False)
    else:
        yield Check("skills", f"{len(copies)} current in '{place}'", ok=True)
