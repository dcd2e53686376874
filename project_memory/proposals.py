"""What waits to be decided: operations that a person must agree to, and plain-text notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeAlias

from project_memory.model import Actor

Operation: TypeAlias = Mapping[str, Any]
"""One change as JSON: `op`, and the members that it takes."""


class State(StrEnum):
    """What has become of a proposal; none is ever removed by a decision."""

    WAITING = "waiting"
    APPLIED = "applied"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decided, when and why; `revision` is the one that applied it, if it was applied."""

    actor: Actor
    time: str
    reason: str | None = None
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """Operations, or a note, that wait for a decision or have had one.

    Attributes:
        number: Counts the proposals of a project, from 1; never reused.
        actor: Who proposed it, through which kind of channel.
        time: UTC timestamp.
        revision: The project's revision that it was made on.
        operation: Verb of the use case, such as ``update``; ``note`` for a note.
        operations: What is to be done, in order; none for a note.
        note: Plain text that waits to be made a memory, or None.
        reason: Why, in the words of who proposed it, or None.
        because: Why a person must decide, one sentence each.
        versions: Id -> version, as it was then, of each memory that it would change.
        state: Waiting, applied, rejected or withdrawn.
        skipped_at: UTC timestamp of the last time that it was put off, or None.
        decision: Who ended the waiting, or None.
    """

    number: int
    actor: Actor
    time: str
    revision: int
    operation: str
    operations: tuple[Operation, ...] = ()
    note: str | None = None
    reason: str | None = None
    because: tuple[str, ...] = ()
    versions: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    state: State = State.WAITING
    skipped_at: str | None = None
    decision: Decision | None = None

    @property
    def waiting(self) -> bool:
        """Return whether it is still to be decided."""
        return self.state is State.WAITING
