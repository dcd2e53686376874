"""Use cases on whole stores, and on folders that need none."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from project_memory import access, services
from project_memory.errors import Conflict, InvalidInput, NotFound, StorageError
from project_memory.model import (
    Actor,
    Check,
    Clock,
    Project,
    system_clock,
    timestamp,
)
from project_memory.ports import Storage
from project_memory.services.store import existing_project
from project_memory.signatures import checked_call
from project_memory.storage import (
    IN_MEMORY,
    address,
    backups,
    copy_storage,
    findings,
    is_local,
    open_storage,
    restore_storage,
)

if TYPE_CHECKING:  # what a use case needs loads with it
    from project_memory.services.administering import ProjectList, Removed
    from project_memory.services.backing_up import BackupReport
    from project_memory.services.mending import MendReport
    from project_memory.services.validate import Report
    from project_memory.storage.copying import Copied, Tell
    from project_memory.storage.restoring import Restored


@checked_call
def list_projects(url: str | None) -> list[Project]:
    """Return the projects of a store, by name.

    Raises:
        NotFound: there is no such store.
    """
    storage = open_storage(url, create=False)
    try:
        with storage.read() as reader:
            return reader.projects()
    finally:
        storage.close()


@checked_call
def listed_projects(url: str | None, *, archived: bool = False) -> ProjectList:
    """Return the projects of a store, by name. See `administering.listed`."""
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        return services.administering.listed(reader, storage.url, archived=archived)


@checked_call
def remove_project(
    url: str | None,
    name: str,
    *,
    actor: Actor,
    sure: bool = False,
    folder: str | Path | None = None,
    clock: Clock = system_clock,
) -> Removed:
    """Remove a project, after a backup to a folder. See `administering.remove`."""
    place = backups() if folder is None else Path(folder)
    with closing(open_storage(url, create=False)) as storage:
        return services.administering.remove(
            storage,
            name,
            actor,
            folder=place.expanduser().absolute(),
            host=platform.node(),
            clock=clock,
            sure=sure,
        )


@checked_call
def init_store(
    url: str | None,
    *,
    project: str,
    actor: Actor,
    repository_ids: Iterable[str] = (),
    clock: Clock = system_clock,
) -> services.projects.Ready:
    """Make the store and the project where they are missing. See `projects.ensure`."""
    storage = open_storage(url, create=True)
    try:
        return services.projects.ensure(storage, project, actor, clock, repository_ids)
    finally:
        storage.close()


@checked_call
def migrate_store(url: str | None, *, to: str, tell: Tell = lambda _done, _of: None) -> Copied:
    """Copy a whole store to a place where there is none. See `storage.copying.copied`."""
    return copy_storage(url, to, tell)


@checked_call
def backup_store(
    url: str | None,
    place: str | Path | None = None,
    *,
    keep: int | None = None,
    clock: Clock = system_clock,
) -> BackupReport:
    """Write a backup of a whole store, by default to the user's folder. See `backing_up.back_up`.

    Raises:
        NotFound: there is no such store.
    """
    target = backups() if place is None else Path(place)
    with closing(open_storage(url, create=False)) as storage:
        return services.backing_up.back_up(
            storage, target.expanduser().absolute(), keep=keep, host=platform.node(), clock=clock
        )


@checked_call
def restore_store(
    url: str | None,
    file: str | Path,
    *,
    actor: Actor,
    replace: bool = False,
    clock: Clock = system_clock,
    tell: Tell = lambda _done, _of: None,
) -> Restored:
    """Put what a backup holds in the place of a store. See `restoring.restored`.

    Raises:
        Conflict: there is a store, and `replace` is false.
        Forbidden: there is a store, and the actor is no person.
    """

    def allow(store: str) -> None:
        if not replace:
            raise Conflict(
                f"there is a store at '{store}'; repeat with --yes to put the backup in its "
                "place, what it holds is kept in a file"
            )
        access.check_person(actor, "put a backup in the place of a store")

    return restore_storage(
        url,
        Path(file).expanduser().absolute(),
        time=timestamp(clock()),
        host=platform.node(),
        allow=allow,
        tell=tell,
    )


@checked_call
def planned_store(
    url: str | None, *, project: str, actor: Actor, repository_ids: Iterable[str] = ()
) -> services.projects.Ready:
    """Return what `init_store` would make, and make nothing. See `projects.planned`."""
    with closing(_existing_or_empty(url)) as storage, storage.read() as reader:
        return services.projects.planned(reader, address(url), project, actor, repository_ids)


def _existing_or_empty(url: str | None) -> Storage:
    try:
        return open_storage(url, create=False)
    except NotFound:
        return open_storage(IN_MEMORY, create=True)


@checked_call
def check_store(url: str | None, project: str) -> list[Check]:
    """Return what doctor must know of a store and a project in it. See `storage.findings`."""
    checks = [Check("store", detail, ok=False) for detail in findings(url)]
    if checks:
        # a damaged file is better left as it is; what a server lacks is no reason to wait
        if not is_local(address(url)):
            with suppress(InvalidInput, NotFound, StorageError):
                checks += _finished(url)
        return checks
    names = [p.name for p in list_projects(url) if project in (p.name, *p.repository_ids)]
    failing = _failing(url)
    detail = f"'{names[0]}'" if names else f"no '{project}' yet; run `project-memory init`"
    return [
        Check("store", "sound", ok=True),
        Check("project", detail, ok=bool(names)),
        *(_kept_index(url, names[0]) if names else ()),
        *_finished(url),
        *(Check("background work", each, ok=False) for each in failing),
    ]


def _kept_index(url: str | None, project: str) -> Iterator[Check]:
    """Yield a finding where the index that is kept between processes is of no use."""
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        key = existing_project(reader, project).key
        for detail in services.snapshots.findings(reader, key):
            yield Check("index", detail, ok=False)


def _finished(url: str | None) -> Iterator[Check]:
    """Finish a purge that was cut off, and yield what came of it."""
    with closing(open_storage(url, create=False)) as storage:
        if not services.sweeping.owed(storage):
            return
        remains = services.sweeping.finish(storage, platform.node())
        left = services.sweeping.owed(storage)
    done = "could not be finished" if left else "is finished"
    detail = "; ".join([f"a purge that was cut off {done}", *remains])
    yield Check("purge", detail, ok=not remains)


def _failing(url: str | None) -> list[str]:
    """Return a sentence for each job that fails."""
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        jobs = services.computing.states(reader, timestamp(system_clock()))
    return [
        f"'{job.kind}'{f' of {job.project!r}' if job.project else ''} fails since "
        f"{job.failing_since} ({job.error}); it is tried again at {job.due_at}, or at once by "
        "`project-memory compute --once`"
        for job in jobs
        if job.failures
    ]


@checked_call
def validate_directory(
    path: str | Path, *, code: Path | None = None, recall: bool = False
) -> Report:
    """Check a directory of documents without a store. See `validate.validate_directory`."""
    return services.validate.validate_directory(Path(path), code=code, recall=recall)


@checked_call
def mend_directory(path: str | Path, *, dry_run: bool = False) -> MendReport:
    """Mend what has one right answer in a directory. See `mending.mend`."""
    return services.mending.mend(Path(path), dry_run=dry_run)


@checked_call
def validate_staged(path: str | Path, *, recall: bool = False) -> Report:
    """Check a directory as the next commit will hold it. See `validate.validate_staged`."""
    return services.validate.validate_staged(Path(path), recall=recall)
