"""Read and change the settings of a project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from project_memory import access, secrets, validation
from project_memory.audit import policy
from project_memory.errors import InvalidInput, SecretFound
from project_memory.model import Actor, Project
from project_memory.ports import Storage
from project_memory.services.store import StoreInfo, changeable_project


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """A project as people see it; settings that are not set have their defaults.

    It is out of use since the UTC timestamp `archived_at`, or None.
    """

    name: str
    repository_ids: tuple[str, ...]
    settings: Mapping[str, Any]
    store: StoreInfo
    archived_at: str | None = None


def configure(storage: Storage, name: str, actor: Actor, patch: Mapping[str, Any]) -> Project:
    """Change settings, and return the project; None takes one back to its default.

    Raises:
        Forbidden: the actor is no person.
        InvalidInput: there is no such setting or no such value, or no such limit of an audit;
            all are named.
        SecretFound: a value looks like a credential.
    """
    access.check_person(actor, "change a project's settings")
    with storage.write() as writer:
        project = changeable_project(writer, name)
        settings = {k: v for k, v in {**project.settings, **patch}.items() if v is not None}
        problems = validation.check_form(settings, "settings")
        if problems:
            lines = (f"{p.path}: {p.message}{f'; {p.fix}' if p.fix else ''}" for p in problems)
            raise InvalidInput("\n".join(lines))
        if leaks := secrets.scan_document(settings):
            raise SecretFound([(f"settings {path}", rule) for path, rule in leaks])
        policy.with_values(policy.Policy(), settings.get("audit", {}), "setting 'audit'")
        changed = writer.put_project(project.name, project.repository_ids, settings)
        if settings.get("questions") == access.Questions.OFF:
            writer.forget_questions(project.key)
        return changed


def info(project: Project, url: str) -> ProjectInfo:
    """Return what is shown of a project."""
    store = StoreInfo(url, project.name, project.revision)
    return ProjectInfo(
        project.name, project.repository_ids, project.settings, store, project.archived_at
    )
