"""``setup``: everything a repository needs for its agents."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.connect import CLIENT, entry, hooks_option
from project_memory.cli.output import emit
from project_memory.cli.session import actor
from project_memory.cli.settings import settings
from project_memory.cli.views.setup import SETUP
from project_memory.clients import CLIENTS, configuring

FOLDER = ".project-memory"
"""Where a repository has its exported lessons."""


@dataclass(frozen=True, slots=True)
class SetupReport:
    """What was set up: store and project, each client, and what to do with the files."""

    store: Any
    clients: Any
    advice: Any
    git: Any
    dry_run: bool


@command(
    "setup",
    output="setup",
    examples=(
        "project-memory setup",
        "project-memory setup --claude --codex",
        "project-memory setup --client cursor --client vscode",
        "project-memory setup --claude --no-skills --dry-run",
        "project-memory setup --git --dry-run",
    ),
)
@click.option("--claude", is_flag=True, help="Configure Claude Code, found or not.")
@click.option("--codex", is_flag=True, help="Configure Codex, found or not.")
@click.option(
    "--client", "named", multiple=True, type=CLIENT, help="Configure this client; repeat."
)
@click.option("--skills/--no-skills", "with_skills", default=True, help="Copy the agent skills.")
@hooks_option
@click.option(
    "--git/--no-git",
    "with_git",
    default=None,
    help="Let git merge and compare .project-memory field by field, or no longer.",
)
@click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
def setup(
    *,
    claude: bool,
    codex: bool,
    named: tuple[str, ...],
    with_skills: bool,
    with_hooks: bool,
    with_git: bool | None,
    dry_run: bool,
) -> None:
    """Set up store, project, skills and clients for this repository.

    Without a client's option, the clients that the repository or you already use are
    configured. Entries of others in their files are kept. Running it again changes nothing.
    """
    from project_memory.app import init_store, planned_store  # noqa: PLC0415
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415

    found = project_identity(Path.cwd())
    short = [name for name, wanted in (("claude", claude), ("codex", codex)) if wanted]
    asked = list(dict.fromkeys((*short, *named)))
    used = configuring.found_clients(found.root, Path.home())
    names = asked or [name for name in used if CLIENTS[name].config]
    starts = entry()
    clients = configuring.configure(
        found.root,
        names,
        starts,
        with_skills=with_skills,
        with_hooks=with_hooks,
        dry_run=dry_run,
    )
    given = settings().project
    prepare = planned_store if dry_run else init_store
    ready = prepare(
        settings().store,
        project=given or found.name,
        actor=actor(),
        repository_ids=() if given else (found.id,),
    )
    advice = configuring.advice(found.root, clients, starts)
    others = () if asked else (CLIENTS[name] for name in used if name not in names)
    advice += [configuring.of_user_alone(client) for client in others]
    drivers = {} if with_git is None else _drivers(found.root, wanted=with_git, dry_run=dry_run)
    emit(SetupReport(ready, clients, advice, drivers, dry_run), SETUP)


def _drivers(root: Path, *, wanted: bool, dry_run: bool) -> dict[str, str]:
    """Tell git how to merge the exported folder where the repository has it, or no longer."""
    from project_memory.checkout import drivers  # noqa: PLC0415

    if not wanted:
        return drivers.remove(root, FOLDER, dry_run=dry_run)
    program = shlex.join(configuring.command_line(None))
    return drivers.install(root, FOLDER, program, dry_run=dry_run)
