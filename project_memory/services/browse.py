"""Read without ranking: one memory, a list by expression, the neighbourhood in the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from project_memory import documents, relations
from project_memory.errors import InvalidInput
from project_memory.lifecycle import FactStatus, effective_facts
from project_memory.model import Document, Memory
from project_memory.ports import Reader
from project_memory.services import disputes, history, shown
from project_memory.services.beside import Flags, nothing
from project_memory.services.known import Known
from project_memory.services.store import StoreInfo

MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a list; `next_offset` is None on the last page."""

    memories: tuple[shown.Light, ...]
    total: int
    next_offset: int | None
    store: StoreInfo


@dataclass(frozen=True, slots=True)
class Reading:
    """One memory, whole.

    Attributes:
        facts: Those of its facts that count for less than they say today, or None; what is read
            as it was in the past has none.
        banner: Why it must not be taken as current, or None.
        suppressed_by: Memories that contradict it and are believed before it, or None.
        flags: What to know of its files, where the project's checkout is at hand, or None; what is
            read as it was in the past has none.
    """

    memory: Document
    meta: shown.Meta
    facts: tuple[FactStatus, ...] | None
    banner: str | None
    superseded_by: tuple[str, ...]
    suppressed_by: tuple[str, ...] | None
    flags: tuple[str, ...] | None
    redirected_from: str | None
    store: StoreInfo


@dataclass(frozen=True, slots=True)
class Edge:
    """One link of a neighbourhood, each pair and kind once."""

    from_id: str
    kind: str
    to_id: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Neighborhood:
    """Memories within some steps of one; nearest first, then by id.

    `omitted` counts the memories within that depth which `max_nodes` left out.
    """

    nodes: tuple[shown.Light, ...]
    edges: tuple[Edge, ...]
    omitted: int
    store: StoreInfo


def read(
    reader: Reader,
    project: int,
    memory_id: str,
    info: StoreInfo,
    *,
    today: date,
    flags: Flags = nothing,
    version: int | None = None,
    as_of: str | None = None,
) -> Reading:
    """Return one memory as it is, as one of its versions was, or as of a moment.

    Raises:
        NotFound: there is no such memory or version.
        InvalidInput: both `version` and `as_of` are given.
    """
    if version is not None and as_of is not None:
        raise InvalidInput("version and as_of are both given; ask for one of them")
    if version is not None:
        memory = history.version_of(reader, project, memory_id, version)
    elif as_of is not None:
        memory = history.as_of(reader, project, memory_id, as_of)
    else:
        memory = history.present(reader, project, memory_id)
    past = version is not None or as_of is not None
    known = Known(reader, project)
    successors = tuple(relations.current_successors(memory, known))
    rivals = () if past else disputes.suppressors(memory, known, today)
    return Reading(
        memory=memory.document,
        meta=shown.meta(memory),
        facts=None if past else effective_facts(memory.document, today),
        banner=_past_banner(memory) if past else shown.banner(memory, successors, rivals, today),
        superseded_by=successors,
        suppressed_by=shown.suppressed_by(rivals),
        flags=None if past else flags([memory]).get(memory.id),
        redirected_from=memory_id if memory.id != memory_id and not past else None,
        store=info,
    )


def page(
    reader: Reader,
    project: int,
    ids: Sequence[str],
    info: StoreInfo,
    *,
    today: date,
    limit: int,
    offset: int,
) -> Page:
    """Return one page of memories out of all ids in their order.

    Raises:
        InvalidInput: `limit` is below 1 or `offset` below 0.
    """
    check_window(limit, offset)
    chosen = ids[offset : offset + limit]
    known = Known(reader, project)
    found = {memory.id: memory for memory in reader.memories(project, chosen)}
    end = offset + len(chosen)
    return Page(
        memories=tuple(shown.light(found[name], known, today) for name in chosen if name in found),
        total=len(ids),
        next_offset=end if end < len(ids) and chosen else None,
        store=info,
    )


def neighborhood(
    reader: Reader,
    project: int,
    memory_id: str,
    info: StoreInfo,
    *,
    today: date,
    depth: int,
    max_nodes: int,
) -> Neighborhood:
    """Return what lies within `depth` links of a memory, archived memories left out.

    Raises:
        NotFound: there is no such memory.
        InvalidInput: `depth` is not in 1..4 or `max_nodes` is below 1.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise InvalidInput(f"depth {depth} is not in 1..{MAX_DEPTH}")
    if max_nodes < 1:
        raise InvalidInput(f"max_nodes {max_nodes} is below 1; ask for at least one memory")
    start = history.present(reader, project, memory_id)
    found = _within(reader, project, start, depth)
    kept = dict(list(found.items())[:max_nodes])
    known = Known(reader, project)
    return Neighborhood(
        nodes=tuple(replace(shown.light(m, known, today), distance=d) for m, d in kept.values()),
        edges=tuple(_edges([memory for memory, _ in kept.values()])),
        omitted=len(found) - len(kept),
        store=info,
    )


def check_window(limit: int, offset: int) -> None:
    """Refuse a window that cannot hold anything.

    Raises:
        InvalidInput: `limit` is below 1 or `offset` below 0.
    """
    if limit < 1:
        raise InvalidInput(f"limit {limit} is below 1; ask for at least one memory")
    if offset < 0:
        raise InvalidInput(f"offset {offset} is below 0; the first memory is at offset 0")


def _past_banner(memory: Memory) -> str:
    return f"version {memory.version} of '{memory.id}', as it was at {memory.updated_at}"


def _within(
    reader: Reader, project: int, start: Memory, depth: int
) -> dict[str, tuple[Memory, int]]:
    found = {start.id: (start, 0)}
    edge: list[Memory] = [start]
    for distance in range(1, depth + 1):
        targets = {link.target for memory in edge for link in documents.links(memory.document)}
        edge = [
            memory
            for memory in reader.memories(project, sorted(targets - found.keys()))
            if not memory.archived
        ]
        found.update((memory.id, (memory, distance)) for memory in edge)
    return found


def _edges(memories: Iterable[Memory]) -> list[Edge]:
    """Return each link once, read from its base kind; symmetric ones from the smaller id."""
    kept = {memory.id: memory for memory in memories}
    edges = []
    for memory in kept.values():
        for link in documents.links(memory.document):
            base = relations.is_base(link.kind)
            twice = relations.KINDS[link.kind].inverse == link.kind and link.target < memory.id
            if link.target in kept and base and not twice:
                edges.append(Edge(memory.id, link.kind, link.target, link.reason))
    return sorted(edges, key=lambda e: (e.from_id, e.kind, e.to_id))
