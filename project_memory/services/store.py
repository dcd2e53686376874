"""Which store and project are asked, and which answered."""

from __future__ import annotations

from dataclasses import dataclass

from project_memory.errors import Conflict, NotFound
from project_memory.model import Project
from project_memory.ports import Reader


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """Where an answer came from: the store without credentials, the project, its revision."""

    url: str
    project: str
    revision: int


def existing_project(reader: Reader, name: str) -> Project:
    """Return the project of this name or repository id.

    Raises:
        NotFound: there is none; the message names the ones there are.
    """
    found = reader.project(name)
    if found is None:
        used = [project for project in reader.projects() if not project.archived]
        known = ", ".join(f"'{project.name}'" for project in used) or "none yet"
        another = "name one of them, or " if used else ""
        raise NotFound(
            f"no project '{name}' in this store (projects: {known}); {another}"
            "run `project-memory init` in its repository"
        )
    return found


def changeable_project(reader: Reader, name: str) -> Project:
    """Return the project of this name or repository id, which takes changes.

    Raises:
        NotFound: there is none.
        Conflict: it is archived.
    """
    found = existing_project(reader, name)
    check_changeable(found)
    return found


def check_changeable(project: Project) -> None:
    """Refuse a project that takes no changes.

    Raises:
        Conflict: it is archived.
    """
    if project.archived:
        raise Conflict(
            f"project '{project.name}' is archived and takes no changes; bring it back with "
            f"`project-memory --project {project.name} project unarchive`"
        )
