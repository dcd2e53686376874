"""Projects of a store: make one, count what is in it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from project_memory import documents, labels
from project_memory.model import Actor, Clock, LabelChange, Project, Revision, timestamp
from project_memory.ports import Reader, Storage, Writer
from project_memory.services.store import StoreInfo, check_changeable


@dataclass(frozen=True, slots=True)
class Ready:
    """A project that can be used; `created` says whether it was missing."""

    store: str
    project: str
    labels: int
    created: bool


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of one project.

    Attributes:
        memories: How many there are, archived ones too.
        archived: How many of them are archived.
        by_status: Status -> how many have it.
        labels: How many are registered.
        links: How many there are, each pair and kind once.
        projects: How many the store has that are not archived, for whoever asks.
        store: Where they are.
    """

    memories: int
    archived: int
    by_status: Mapping[str, int]
    labels: int
    links: int
    projects: int
    store: StoreInfo


def ensure(
    storage: Storage, name: str, actor: Actor, clock: Clock, repository_ids: Iterable[str] = ()
) -> Ready:
    """Make the project of this name unless it, or one of these repository ids, is known.

    A project that is made starts with the starter labels. Where another repository has the name
    already, the new project's name ends with a piece of its identity.

    Raises:
        SecretFound: the name of a new project, or its maker's, looks like a credential.
    """
    identities = tuple(repository_ids)
    with storage.write() as writer:
        chosen, free = _chosen(writer, name, identities)
        found = chosen or _made(writer, free, identities, actor, clock)
        known = (*found.repository_ids, *(i for i in identities if i not in found.repository_ids))
        if known != found.repository_ids:
            writer.put_project(found.name, known, found.settings)
        count = len(writer.registry(found.key).labels)
        return Ready(storage.url, found.name, count, created=chosen is None)


def planned(
    reader: Reader, url: str, name: str, actor: Actor, repository_ids: Iterable[str] = ()
) -> Ready:
    """Return what `ensure` would, and make nothing; `url` is where the store is or would be.

    Raises:
        SecretFound: as `ensure` would.
    """
    found, free = _chosen(reader, name, tuple(repository_ids))
    if found is None:
        _check_names(free, actor)
        return Ready(url, free, len(labels.starter().labels), created=True)
    return Ready(url, found.name, len(reader.registry(found.key).labels), created=False)


def sharing(
    reader: Reader, project: Project, sees: Callable[[Project], bool] = lambda _: True
) -> dict[str, int]:
    """Return name -> key of the other projects whose memories may answer here, by name.

    An archived one is not looked into, nor one whose access needs consent, nor one that the asker
    does not see.
    """
    return {
        other.name: other.key
        for other in reader.projects()
        if other.key != project.key
        and not other.archived
        and other.settings.get("access") != "consent"
        and sees(other)
    }


def stats(
    reader: Reader, project: Project, info: StoreInfo, sees: Callable[[Project], bool]
) -> Stats:
    """Return the counts of a project; of projects, those that the asker sees are counted."""
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
        projects=sum(sees(each) and not each.archived for each in reader.projects()),
        store=info,
    )


def _chosen(reader: Reader, name: str, identities: Sequence[str]) -> tuple[Project | None, str]:
    """Return (the project that is meant, if it exists; the name that it would get)."""
    found = next(filter(None, (reader.project(i) for i in identities)), None)
    named = reader.project(name)
    if found is None and named is not None and not (identities and named.repository_ids):
        found = named
    if found is not None:
        check_changeable(found)
    free = name if named is None or not identities else f"{name}-{_short(identities[0])}"
    return found, free


def _short(identity: str) -> str:
    return hashlib.sha256(identity.encode()).hexdigest()[:6]


def _made(
    writer: Writer, name: str, identities: Iterable[str], actor: Actor, clock: Clock
) -> Project:
    _check_names(name, actor)
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


def _check_names(name: str, actor: Actor) -> None:
    from project_memory.services import reasons  # noqa: PLC0415  # only a new project needs it

    reasons.check_name(name, "the project's name")
    reasons.check_name(actor.name, "the actor's name")
