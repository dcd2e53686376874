"""Projects of a store: make one, count what is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from project_memory import documents, labels
from project_memory.model import Actor, Clock, LabelChange, Project, Revision, timestamp
from project_memory.ports import Reader, Storage, Writer
from project_memory.services.store import StoreInfo


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of one project; `links` counts each pair and kind once."""

    memories: int
    archived: int
    by_status: Mapping[str, int]
    labels: int
    links: int
    projects: int
    store: StoreInfo


def ensure(
    storage: Storage, name: str, actor: Actor, clock: Clock, repository_ids: Iterable[str] = ()
) -> Project:
    """Return the project of this name or one of these repository ids; made if there is none.

    A project that is made starts with the starter labels.
    """
    identities = tuple(repository_ids)
    with storage.write() as writer:
        found = next(filter(None, (writer.project(n) for n in (name, *identities))), None)
        if found is None:
            return _made(writer, name, identities, actor, clock)
        known = (*found.repository_ids, *(i for i in identities if i not in found.repository_ids))
        if known == found.repository_ids:
            return found
        return writer.put_project(found.name, known, found.settings)


def stats(reader: Reader, project: Project, info: StoreInfo) -> Stats:
    """Return the counts of a project."""
    statuses: Counter[str] = Counter()
    archived = total = halves = 0
    for memory in reader.memories(project.key):
        total += 1
        archived += memory.archived
        statuses[memory.status.value] += 1
        halves += sum(1 for _ in documents.links(memory.document))
    return Stats(
        memories=total,
        archived=archived,
        by_status=dict(sorted(statuses.items())),
        labels=len(reader.registry(project.key).labels),
        links=halves // 2,
        projects=len(reader.projects()),
        store=info,
    )


def _made(
    writer: Writer, name: str, identities: Iterable[str], actor: Actor, clock: Clock
) -> Project:
    project = writer.put_project(name, identities)
    registry = labels.starter()
    for label in registry.labels.values():
        writer.put_label(project.key, label)
    changes = tuple(LabelChange(None, registry.labels[name]) for name in sorted(registry.labels))
    time = timestamp(clock())
    writer.append_revision(project.key, Revision(1, actor, "init", None, time, changes))
    made = writer.project(name)
    assert made is not None
    return made
