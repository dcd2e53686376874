"""Which store and project are asked, and which answered."""

from __future__ import annotations

from dataclasses import dataclass

from project_memory.errors import NotFound
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
        known = ", ".join(f"'{project.name}'" for project in reader.projects()) or "none yet"
        raise NotFound(
            f"no project '{name}' in this store (projects: {known}); "
            "run `project-memory init` in its repository"
        )
    return found
