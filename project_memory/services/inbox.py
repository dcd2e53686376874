"""Read what waits to be decided, and what deciding it would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from project_memory import access, documents
from project_memory.errors import NotFound, ProjectMemoryError
from project_memory.model import Actor, Authority, MemoryChange, Project
from project_memory.ports import Reader
from project_memory.proposals import Proposal, State
from project_memory.services import batch, undo
from project_memory.services.conflicts import Fields, conflicts
from project_memory.services.store import StoreInfo
from project_memory.services.transaction import Order, rehearse
from project_memory.services.working_set import WorkingSet

_PLAIN = ("schema_version", "id", "status", "relationships")
"""Fields of a document in which nobody says anything."""


@dataclass(frozen=True, slots=True)
class Inbox:
    """Proposals, those that wait first, and of those the skipped ones last."""

    proposals: tuple[Proposal, ...]
    waiting: int
    store: StoreInfo


@dataclass(frozen=True, slots=True)
class Effect:
    """What a proposal would do to one memory.

    Attributes:
        id: The memory.
        change: What becomes of it, such as ``updated``.
        fields: Field -> [current value, proposed value].
        vouched: Field -> value of what stays as others wrote it, and would be a person's word.
    """

    id: str
    change: str
    fields: Fields
    vouched: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Review:
    """One proposal against the project as it is.

    Attributes:
        proposal: The proposal.
        effects: What it would do to each memory; none for a note, and none once it is decided.
        labels: Labels that it would add or change.
        conflicts: Id -> field -> [value it was made on, current value, proposed value].
        obstacle: Why it cannot be applied, or None.
        store: Where it is.
    """

    proposal: Proposal
    effects: tuple[Effect, ...]
    labels: tuple[str, ...]
    conflicts: Mapping[str, Fields]
    obstacle: str | None
    store: StoreInfo


def listed(reader: Reader, project: int, info: StoreInfo, *, state: State | None) -> Inbox:
    """Return the proposals in this state, or all."""
    found = sorted(
        reader.proposals(project, state),
        key=lambda p: (not p.waiting, p.skipped_at or "", p.number),
    )
    waiting = sum(1 for _ in reader.proposals(project, State.WAITING))
    return Inbox(tuple(found), waiting, info)


def shown(reader: Reader, project: Project, order: Order, number: int, info: StoreInfo) -> Review:
    """Return one proposal with what a person would change now by applying it.

    Raises:
        NotFound: there is no such proposal.
    """
    proposal = reader.proposal(project.key, number)
    if proposal is None:
        raise NotFound(f"no proposal {number}; `project-memory review list` shows those that wait")
    if not proposal.waiting or proposal.note is not None:
        return Review(proposal, (), (), {}, None, info)
    decider = replace(order, actor=replace(order.actor, authority=Authority.USER))
    try:
        work = rehearse(reader, project.name, decider, lambda w: batch.run(w, proposal.operations))
    except ProjectMemoryError as error:
        obstacle = ": ".join((*getattr(error, "__notes__", ()), str(error)))
        return Review(proposal, (), (), {}, obstacle, info)
    effects = tuple(_effect(work, change) for change in work.memory_changes())
    found = conflicts(work, proposal)
    return Review(proposal, effects, work.changed_labels(), found, None, info)


def last_of(reader: Reader, project: int, actor: Actor) -> Proposal | None:
    """Return the waiting proposal that is the last thing this actor did, or None."""
    own = [p for p in reader.proposals(project, State.WAITING) if access.is_own(actor, p)]
    if not own:
        return None
    try:
        last = undo.last_revision(reader, project, actor)
    except NotFound:
        return own[-1]
    return own[-1] if own[-1].revision >= last.number else None


def applied_because(reader: Reader, project: int, number: int, reason: str | None) -> str | None:
    """Return what history says of applying a proposal: whose it was, and why."""
    proposal = reader.proposal(project, number)
    if proposal is None:
        return reason
    parts = (f"proposal {number} of '{proposal.actor.name}'", proposal.reason, reason)
    return ": ".join(filter(None, parts))


def _effect(work: WorkingSet, change: MemoryChange) -> Effect:
    before, after = change.before, change.after
    old: Mapping[str, Any] = before.document if before else {}
    fields = documents.diff(old, after.document) if after else {}
    event = work.event(change.key) or "mirrored"
    return Effect(change.id, event, fields, _vouched(change, fields))


def _vouched(change: MemoryChange, fields: Fields) -> Mapping[str, Any]:
    after = change.after
    if after is None or not access.lends_word(change.before, after):
        return {}
    return {f: v for f, v in after.document.items() if v and f not in (*fields, *_PLAIN)}
