"""What a plan of background work comes to, in a store and in a project of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from project_memory.errors import InvalidInput
from project_memory.jobs import Backups, Kind, Plan
from project_memory.model import Clock, Project
from project_memory.ports import Storage
from project_memory.services import backing_up
from project_memory.services.working import Task

Act: TypeAlias = Callable[[], Mapping[str, Any]]


def of_project(project: Project, plan: Plan, acts: Mapping[Kind, Act]) -> list[Task]:
    """Return the planned work on a project, by kind.

    Raises:
        InvalidInput: it needs a checkout, and the plan has none.
    """
    if Kind.STALENESS in plan.kinds and plan.checkout is None:
        raise InvalidInput(
            "staleness is told by the project's code; run `project-memory compute` in a checkout "
            "of it"
        )
    return [Task(kind, project, plan.every, acts[kind]) for kind in Kind if kind in plan.kinds]


def of_store(storage: Storage, plan: Plan, host: str, clock: Clock) -> list[Task]:
    """Return the planned work on the whole store."""
    wanted = plan.backups
    if wanted is None:
        return []
    return [
        Task(Kind.BACKUP, None, wanted.every, lambda: _backed_up(storage, wanted, host, clock))
    ]


def _backed_up(storage: Storage, wanted: Backups, host: str, clock: Clock) -> Mapping[str, Any]:
    made = backing_up.back_up(storage, wanted.folder, keep=wanted.keep, host=host, clock=clock)
    return {"host": host, "file": made.file, "bytes": made.bytes, "time": made.time}
