"""`ProjectMemory`: one store, one project, one actor, and every use case on them.

It opens the store, keeps the index caches and delegates; the features are in `services`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from project_memory.app.administration import Administration
from project_memory.app.changes import Changes
from project_memory.app.exports import Exports
from project_memory.app.labelling import Labelling
from project_memory.app.stores import (
    backup_store,
    check_store,
    init_store,
    list_projects,
    listed_projects,
    mend_directory,
    migrate_store,
    planned_store,
    remove_project,
    restore_store,
    validate_directory,
    validate_staged,
)
from project_memory.app.upkeep import Upkeep
from project_memory.storage import without_credentials

if TYPE_CHECKING:  # told to views; what a use case needs loads with it
    from project_memory.services.affected import Affected as Affected
    from project_memory.services.audit_report import AuditReport as AuditReport
    from project_memory.services.mending import MendReport as MendReport
    from project_memory.services.validate import Report as Report

__all__ = [
    "ProjectMemory",
    "backup_store",
    "check_store",
    "init_store",
    "list_projects",
    "listed_projects",
    "mend_directory",
    "migrate_store",
    "planned_store",
    "remove_project",
    "restore_store",
    "validate_directory",
    "validate_staged",
    "without_credentials",
]


class ProjectMemory(Changes, Labelling, Upkeep, Administration, Exports):
    """A project of a store, in the name of an actor; safe to share between threads."""
