"""How a memory stands in an answer: its light form, what is kept beside it, its banner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from project_memory import relations
from project_memory.lifecycle import has_current_fact
from project_memory.model import Memory, Status
from project_memory.services import disputes
from project_memory.services.known import Known


@dataclass(frozen=True, slots=True)
class Light:
    """A memory in a list.

    Attributes:
        suppressed_by: Memories that contradict it and are believed before it, or None.
        banner: Why it must not be taken as current, or None.
        distance: Steps from the start of a neighbourhood, or None in a plain list.
    """

    id: str
    status: Status
    description: str
    labels: tuple[str, ...]
    version: int
    updated_at: str
    archived: bool
    superseded_by: tuple[str, ...] = ()
    suppressed_by: tuple[str, ...] | None = None
    banner: str | None = None
    distance: int | None = None


@dataclass(frozen=True, slots=True)
class Meta:
    """What the store keeps beside a document."""

    version: int
    links_version: int
    own_status: Status
    created_at: str
    updated_at: str
    author: str
    asserted_by: str
    archived_at: str | None
    pinned: bool
    tier: int
    declared: Any


def light(memory: Memory, known: Known, today: date) -> Light:
    """Return a memory as it stands in a list."""
    successors = tuple(relations.current_successors(memory, known))
    rivals = disputes.suppressors(memory, known, today)
    return Light(
        id=memory.id,
        status=memory.status,
        description=memory.document["description"],
        labels=tuple(memory.document["labels"]),
        version=memory.version,
        updated_at=memory.updated_at,
        archived=memory.archived,
        superseded_by=successors,
        suppressed_by=suppressed_by(rivals),
        banner=banner(memory, successors, rivals, today),
    )


def suppressed_by(rivals: Iterable[disputes.Rival]) -> tuple[str, ...] | None:
    """Return the ids of a memory's suppressors, or None where it has none."""
    return tuple(rival.memory.id for rival in rivals) or None


def banner(
    memory: Memory, successors: Sequence[str], rivals: Sequence[disputes.Rival], today: date
) -> str | None:
    """Return the sentence that keeps a memory from passing as current, or None if it is."""
    said = []
    if memory.status is Status.SUPERSEDED:
        named = ", ".join(f"'{name}'" for name in successors)
        # a successor that does not reach as far as the memory has no name here
        known = named or "a memory that only its project shows"
        said.append(f"superseded by {known}: read that instead")
    if memory.own_status is Status.WRONG:
        said.append(f"wrong: do not rely on it{_because(memory)}")
    if memory.status is Status.STALE:
        said.append(f"stale: check it before relying on it{_because(memory)}")
    said += disputes.said(rivals)
    if not has_current_fact(memory.document, today):
        said.append("without a current fact, all have expired or are deprecated: check it first")
    if memory.archived:
        said.append("archived: out of retrieval")
    return "; ".join(said) or None


def meta(memory: Memory) -> Meta:
    """Return what the store keeps beside a document, without its internal key."""
    return Meta(
        version=memory.version,
        links_version=memory.links_version,
        own_status=memory.own_status,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        author=memory.author,
        asserted_by=memory.asserted_by,
        archived_at=memory.archived_at,
        pinned=memory.pinned,
        tier=memory.tier,
        declared=memory.declared,
    )


def _because(memory: Memory) -> str:
    reason = memory.document.get("status_reason")
    return f" ({reason})" if reason else ""
