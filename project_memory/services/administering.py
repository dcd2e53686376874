"""What is done to projects as a whole: listed, renamed, archived, removed; their repositories.

All but a list is for a person: an agent could hide or lose what others rely on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from project_memory import access
from project_memory.backups import Backup
from project_memory.errors import Conflict, InvalidInput, NotFound
from project_memory.model import Actor, Clock, Project, timestamp
from project_memory.ports import Reader, Storage
from project_memory.services import backing_up, reasons, snapshots
from project_memory.services.configuring import ProjectInfo, info
from project_memory.services.store import changeable_project, existing_project


@dataclass(frozen=True, slots=True)
class ListedProject:
    """A project in a list; `archived_at` is a UTC timestamp, or None while it is in use."""

    name: str
    revision: int
    repository_ids: tuple[str, ...]
    archived_at: str | None


@dataclass(frozen=True, slots=True)
class ProjectList:
    """Projects by name; `store` is where."""

    projects: tuple[ListedProject, ...]
    store: str


@dataclass(frozen=True, slots=True)
class Removed:
    """A project that is gone.

    Attributes:
        name: Its name.
        memories: How many it had, archived ones too.
        revisions: How many changes of it history told of.
        backup: File of the backup that holds it, with the whole store.
        store: Where it was.
    """

    name: str
    memories: int
    revisions: int
    backup: str
    store: str


def listed(reader: Reader, url: str, *, archived: bool) -> ProjectList:
    """Return the projects in use, or all of them, by name."""
    found = (each for each in reader.projects() if archived or not each.archived)
    return ProjectList(
        tuple(
            ListedProject(each.name, each.revision, each.repository_ids, each.archived_at)
            for each in found
        ),
        url,
    )


def rename(storage: Storage, name: str, actor: Actor, new_name: str) -> ProjectInfo:
    """Give a project another readable name; its repositories still lead to it.

    Raises:
        Forbidden: the actor is no person.
        InvalidInput: the name cannot be one.
        SecretFound: it looks like a credential.
        Conflict: another project goes by it, or this one is archived.
    """
    access.check_person(actor, "rename a project")
    _check_name(new_name)
    with storage.write() as writer:
        project = changeable_project(writer, name)
        writer.rename_project(project.key, new_name)
        return info(existing_project(writer, new_name), storage.url)


def archive(storage: Storage, name: str, actor: Actor, clock: Clock) -> ProjectInfo:
    """Take a project out of use: in no list, no recall of others, and without changes.

    Raises:
        Forbidden: the actor is no person.
        Conflict: it is archived already.
    """
    access.check_person(actor, "archive a project")
    with storage.write() as writer:
        project = existing_project(writer, name)
        if project.archived:
            raise Conflict(
                f"project '{project.name}' is archived since {project.archived_at}; there is "
                "nothing to do"
            )
        writer.archive_project(project.key, timestamp(clock()))
        return info(existing_project(writer, project.name), storage.url)


def unarchive(storage: Storage, name: str, actor: Actor) -> ProjectInfo:
    """Bring a project back into use.

    Raises:
        Forbidden: the actor is no person.
        Conflict: it is in use.
    """
    access.check_person(actor, "bring a project back into use")
    with storage.write() as writer:
        project = existing_project(writer, name)
        if not project.archived:
            raise Conflict(f"project '{project.name}' is not archived; there is nothing to do")
        writer.archive_project(project.key, None)
        return info(existing_project(writer, project.name), storage.url)


def add_repositories(
    storage: Storage, name: str, actor: Actor, repository_ids: Iterable[str]
) -> ProjectInfo:
    """Let further repositories lead to a project.

    Raises:
        Forbidden: the actor is no person.
        InvalidInput: an id cannot be one.
        Conflict: one belongs to another project, or this one is archived.
    """
    access.check_person(actor, "change the repositories of a project")
    given = tuple(repository_ids)
    for each in given:
        _check_name(each)
    with storage.write() as writer:
        project = changeable_project(writer, name)
        changed = writer.put_project(project.name, {*project.repository_ids, *given})
        return info(changed, storage.url)


def remove_repository(
    storage: Storage, name: str, actor: Actor, repository_id: str
) -> ProjectInfo:
    """Let a repository lead to a project no more.

    Raises:
        Forbidden: the actor is no person.
        NotFound: it does not lead there.
        Conflict: the project is archived.
    """
    access.check_person(actor, "change the repositories of a project")
    with storage.write() as writer:
        project = changeable_project(writer, name)
        if repository_id not in project.repository_ids:
            known = ", ".join(f"'{each}'" for each in project.repository_ids) or "none"
            raise NotFound(
                f"repository '{repository_id}' does not lead to project '{project.name}' "
                f"(repositories: {known}); name one that does"
            )
        left = [each for each in project.repository_ids if each != repository_id]
        return info(writer.put_project(project.name, left), storage.url)


def remove(
    storage: Storage, name: str, actor: Actor, *, folder: Path, host: str, clock: Clock, sure: bool
) -> Removed:
    """Remove a project with its history, after a backup of the whole store.

    Args:
        storage: The store.
        name: Its exact name; a repository id is not enough.
        actor: Who wants that.
        folder: Where the backup goes.
        host: Name of this machine.
        clock: The present moment.
        sure: Whether that was confirmed.

    Raises:
        Forbidden: the actor is no person.
        NotFound: there is no such project.
        Conflict: it was not confirmed.
        StorageError: the backup cannot be made; nothing was removed.
    """
    with storage.write() as writer:
        project = _exact(writer, name)
        memories = sum(1 for _ in writer.memories(project.key))
        if not sure:
            raise Conflict(
                f"project '{name}' has {memories} memories and {project.revision} revisions; "
                "repeat with --yes to remove them all"
            )
        access.check_person(actor, "remove a project")
        time = timestamp(clock())
        # made while nobody else writes, so that it holds the last change
        file = backing_up.free_name(writer, folder, time)
        storage.copy_to(file)
        writer.put_backup(Backup(time, host, str(file)))
        writer.remove_project(project.key)
        snapshots.remove(writer, project.key)
    return Removed(name, memories, project.revision, str(file), storage.url)


def _exact(reader: Reader, name: str) -> Project:
    project = existing_project(reader, name)
    if project.name != name:
        raise NotFound(
            f"'{name}' is a repository of project '{project.name}'; write that exact name to "
            "remove it"
        )
    return project


def _check_name(name: str) -> None:
    segments = set(re.split(r"[/\\]", name))
    if not name.strip() or not name.isprintable() or {"", ".", ".."} & segments:
        raise InvalidInput(
            f"'{name[:60]}' cannot be the name of a project or repository; use a word such as "
            "'shop', or 'example.org/acme/shop'"
        )
    reasons.check_name(name, "the project's name")
