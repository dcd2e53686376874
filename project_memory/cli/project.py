"""``project``: what it is called, which repositories it has, how it is set, whether it is used."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from project_memory.cli.command import Group, command
from project_memory.cli.output import emit
from project_memory.cli.session import actor, opened
from project_memory.cli.settings import settings
from project_memory.cli.views import project as views
from project_memory.errors import InvalidInput

project = Group(
    "project",
    default="show",
    help="Show a project, change its settings, and what becomes of it.",
    examples=(
        "project-memory project show",
        "project-memory project set writes=review",
        "project-memory project list",
    ),
)


@project.command_from
@command("show", output="project", examples=("project-memory project show --json",))
def show() -> None:
    """Show the project's name, repositories and settings."""
    with opened() as memories:
        emit(memories.project_info(), views.VIEW)


@project.command_from
@command(
    "set",
    output="project",
    examples=(
        "project-memory project set writes=review",
        "project-memory project set agent_edits=demote writes=",
        "project-memory project set 'audit={\"validated-days\": 180}'",
    ),
)
@click.argument("given", nargs=-1, required=True, metavar="NAME=VALUE...")
def set_(given: tuple[str, ...]) -> None:
    """Change settings; a name without a value takes it back to its default.

    writes is direct or review: with review, what agents write waits until a person applies it.
    agent_edits is propose or demote: with demote, an agent's edit of what a person asserted is
    made at once and becomes the agent's assertion. expectations is named or strict: with strict,
    a change is refused that loses what the project expects to be found. questions is kept or off:
    with off, questions that recall did not help with are not kept, and those kept are forgotten.
    audit is a JSON object of limits, named as the options of project-memory audit.
    """
    with opened() as memories:
        emit(memories.configure(_settings(given)), views.VIEW)


@project.command_from
@command(
    "list",
    output="project-list",
    examples=("project-memory project list", "project-memory project list --archived"),
)
@click.option("--archived", is_flag=True, help="Those out of use, too.")
def list_(*, archived: bool) -> None:
    """List the projects of the store.

    Off a terminal a line holds: name, revision, archived, repositories.
    """
    from project_memory.app import listed_projects  # noqa: PLC0415

    emit(listed_projects(settings().store, archived=archived), views.LISTED)


@project.command_from
@command(
    "rename",
    output="project",
    examples=("project-memory --project shop project rename store",),
)
@click.argument("name")
def rename(name: str) -> None:
    """Give the project another name; its repositories still lead to it.

    Whoever names it must use the other name from now on. This and what follows is for a person at
    a terminal.
    """
    with opened() as memories:
        emit(memories.rename_project(name), views.VIEW)


@project.command_from
@command("archive", output="project", examples=("project-memory --project shop project archive",))
def archive() -> None:
    """Take the project out of use.

    It is in no list and answers in no other project, and takes no changes; who names it can still
    read it.
    """
    with opened() as memories:
        emit(memories.archive_project(), views.VIEW)


@project.command_from
@command(
    "unarchive", output="project", examples=("project-memory --project shop project unarchive",)
)
def unarchive() -> None:
    """Bring the project back into use."""
    with opened() as memories:
        emit(memories.unarchive_project(), views.VIEW)


@project.command_from
@command(
    "add-repo",
    output="project",
    examples=(
        "project-memory --project shop project add-repo",
        "project-memory --project shop project add-repo git@github.com:acme/till.git",
    ),
)
@click.argument("repositories", nargs=-1, metavar="[REPOSITORY...]")
def add_repo(repositories: tuple[str, ...]) -> None:
    """Let further repositories lead to the project, by default that of the working directory.

    A REPOSITORY is the address of its origin in any form, or an id that project show prints. Every
    clone and every worktree of one has the same id.
    """
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415

    ids = [_repository(each) for each in repositories] or [project_identity(Path.cwd()).id]
    with opened() as memories:
        emit(memories.add_repositories(ids), views.VIEW)


@project.command_from
@command(
    "remove-repo",
    output="project",
    examples=("project-memory --project shop project remove-repo github.com/acme/till",),
)
@click.argument("repository")
def remove_repo(repository: str) -> None:
    """Let a repository lead to the project no more."""
    with opened() as memories:
        emit(memories.remove_repository(_repository(repository)), views.VIEW)


@project.command_from
@command(
    "remove",
    output="project-remove",
    examples=(
        "project-memory project remove shop --yes",
        "project-memory project remove shop --yes --backup-dir backups",
    ),
)
@click.argument("name", metavar="EXACT-NAME")
@click.option("--yes", is_flag=True, help="Remove it.")
@click.option(
    "--backup-dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where the backup goes; by default the folder backups beside the default store.",
)
def remove(name: str, *, yes: bool, backup_dir: Path | None) -> None:
    """Remove a project with all its memories and history, after a backup of the store.

    Neither undo nor an import brings it back; the backup, whose name is printed, holds it. To keep
    it and stop using it, archive it.
    """
    from project_memory.app import remove_project  # noqa: PLC0415

    done = remove_project(settings().store, name, actor=actor(), sure=yes, folder=backup_dir)
    emit(done, views.REMOVED)


def _repository(given: str) -> str:
    """Return the id of a repository by an address of it, or by its id."""
    from project_memory.checkout.identity import normalised_origin  # noqa: PLC0415

    return normalised_origin(given) or given


def _settings(given: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in given:
        name, sign, text = each.partition("=")
        if not sign:
            raise InvalidInput(f"'{each}' has no '='; write NAME=VALUE")
        found[name] = _value(text)
    return found


def _value(text: str) -> Any:
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
