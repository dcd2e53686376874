"""Set up clients: their configuration, in a project or a user's own, and the skills."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from project_memory.clients import CLIENTS, SERVER_NAME, Client, Entry, skills, writing
from project_memory.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Configured:
    """What was done for one client.

    Attributes:
        client: Its name.
        config: Path of its configuration file.
        change: added, updated or unchanged.
        skills: Skill name -> added, refreshed or unchanged; empty when skills were not asked for.
        hooks: File of hooks -> added, updated or unchanged; empty without hooks.
    """

    client: str
    config: str
    change: str
    skills: Mapping[str, str]
    hooks: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Connection:
    """What became of one configuration file of a client.

    Attributes:
        client: The client's name.
        config: Path of the file.
        change: added, updated, removed or unchanged.
    """

    client: str
    config: str
    change: str


def found_clients(folder: Path, home: Path) -> list[str]:
    """Return the names of the clients that a project or its user already uses."""
    return [
        client.name
        for client in CLIENTS.values()
        if any((folder / marker).exists() for marker in client.markers)
        or any((home / marker).exists() for marker in client.user_markers)
    ]


def configure(
    folder: Path,
    names: Iterable[str],
    entry: Entry,
    *,
    with_skills: bool,
    with_hooks: bool = False,
    dry_run: bool,
) -> list[Configured]:
    """Write the server into each named client's project configuration, and copy the skills.

    With hooks, those of the clients that have hooks are written too. A dry run returns the same
    and writes nothing.

    Raises:
        InvalidInput: a client has no configuration of a project, or a file cannot be read,
            understood or written.
    """
    clients = [CLIENTS[name] for name in names]
    done = connect(clients, folder, entry, of_user=False, with_hooks=with_hooks, dry_run=dry_run)
    copy = skills.planned if dry_run else skills.install
    folders = dict.fromkeys(client.skills for client in clients) if with_skills else {}
    copied = {place: copy(folder / place) for place in folders}
    by_client = {c.name: [each for each in done if each.client == c.name] for c in clients}
    return [
        Configured(
            client.name,
            server.config,
            server.change,
            copied.get(client.skills, {}),
            {each.config: each.change for each in hooked},
        )
        for client in clients
        for server, *hooked in [by_client[client.name]]
    ]


def connect(
    clients: Iterable[Client],
    base: Path,
    entry: Entry,
    *,
    of_user: bool,
    with_hooks: bool = False,
    dry_run: bool,
) -> list[Connection]:
    """Write the server into configurations: a user's own, `base` being the home, or a project's.

    With hooks, the file of hooks of each client that has one follows it. Nothing is written
    unless all can be understood.

    Raises:
        InvalidInput: a client has no configuration of a project, or a file cannot be read,
            understood or written.
    """
    steps: list[_Step] = []
    for client in clients:
        path = _config(client, base, of_user=of_user)
        steps.append((client, path, partial(writing.connect, client, path, entry)))
        if with_hooks and client.hooks:
            path = base / client.hooks
            steps.append((client, path, partial(writing.add_hooks, path, entry)))
    return _all(steps, dry_run=dry_run)


def disconnect(
    clients: Iterable[Client], base: Path, *, of_user: bool, dry_run: bool
) -> list[Connection]:
    """Take the server out of configurations, and our hooks where there are some. See `connect`.

    Raises:
        InvalidInput: as there.
    """
    steps: list[_Step] = []
    for client in clients:
        path = _config(client, base, of_user=of_user)
        hooked = base / client.hooks if client.hooks else None
        if hooked is not None and hooked.exists():
            steps.append((client, hooked, partial(writing.remove_hooks, hooked, base)))
        steps.append((client, path, partial(writing.disconnect, client, path, base)))
    return _all(steps, dry_run=dry_run)


class _Change(Protocol):
    def __call__(self, *, dry_run: bool) -> str: ...


_Step = tuple[Client, Path, _Change]


def _all(steps: Sequence[_Step], *, dry_run: bool) -> list[Connection]:
    done = [
        Connection(client.name, str(path), change(dry_run=True)) for client, path, change in steps
    ]
    if not dry_run:
        for _, _, change in steps:
            change(dry_run=False)
    return done


def _config(client: Client, base: Path, *, of_user: bool) -> Path:
    path = client.config_of_user(base) if of_user else client.config_in(base)
    if path is None:
        raise InvalidInput(of_user_alone(client))
    return path


def of_user_alone(client: Client) -> str:
    """Return what to do for a client that has no configuration of a project."""
    return (
        f"{client.title} has no configuration of a project; run "
        f"`project-memory connect {client.name} --user` for your own"
    )


def advice(folder: Path, done: Iterable[Configured], entry: Entry) -> list[str]:
    """Return what to do with files of a repository that were added or changed, a sentence each."""
    if not (folder / ".git").exists():
        return []
    changed = list(done)
    copied = {CLIENTS[c.client].skills for c in changed if {*c.skills.values()} - {"unchanged"}}
    files = (
        (path, how) for c in changed for path, how in ((c.config, c.change), *c.hooks.items())
    )
    configs = {
        Path(path).relative_to(folder).as_posix() for path, how in files if how != "unchanged"
    }
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


def server_entry(store: str | None, project: str | None = None) -> Entry:
    """Return how a client starts the server, of a store and project if they are not the usual."""
    start = command_line(store, project)
    return Entry(start[0], (*start[1:], "serve"))


def command_line(store: str | None, project: str | None = None) -> tuple[str, ...]:
    """Return how the command is started: by name where the shell finds it, else by path."""
    known = shutil.which(SERVER_NAME)
    start = (SERVER_NAME,) if known else (sys.executable, "-m", "project_memory")
    chosen = (("--store", store), ("--project", project))
    return (*start, *(word for name, value in chosen if value for word in (name, value)))
