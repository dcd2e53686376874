"""Background work, as the store keeps it: who is at it, what came of it, when it is next due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

STORE = 0
"""In the place of a project's key: the work is on the whole store."""


class Kind(StrEnum):
    """Kinds of background work; none of them changes a memory."""

    INDEX = "index"
    AUDIT = "audit"
    STALENESS = "staleness"
    DUPLICATES = "duplicates"
    BACKUP = "backup"


@dataclass(frozen=True, slots=True)
class Job:
    """One kind of work on one project, which one worker at most is at.

    Attributes:
        project: Key of the project, or `STORE`.
        kind: Which work.
        worker: Who has taken it, or None.
        leased_until: UTC timestamp from which on another worker may take it, or None.
        started_at: UTC timestamp of when it was last taken, or None.
        succeeded_at: UTC timestamp of its last success, or None.
        due_at: UTC timestamp of when it is next due, or None: at once. After a success that is
            what whoever did it thought; who does it more often goes by `succeeded_at`.
        failures: How often it has failed since its last success.
        failing_since: UTC timestamp of the first of these failures, or None.
        error: What the last of them said, or None.
        result: What its last success tells, small.
    """

    project: int
    kind: Kind
    worker: str | None = None
    leased_until: str | None = None
    started_at: str | None = None
    succeeded_at: str | None = None
    due_at: str | None = None
    failures: int = 0
    failing_since: str | None = None
    error: str | None = None
    result: Mapping[str, Any] | None = None

    def is_held(self, now: str) -> bool:
        """Return whether a worker is at it at a UTC timestamp."""
        return self.leased_until is not None and now < self.leased_until

    def is_due(self, now: str, since: str) -> bool:
        """Return whether it is to be done: not done since, and no failure keeps it waiting.

        Args:
            now: UTC timestamp.
            since: UTC timestamp; a success after it is recent enough.
        """
        recent = self.succeeded_at is not None and self.succeeded_at > since
        waits = self.failures > 0 and self.due_at is not None and self.due_at > now
        return not (recent or waits)


@dataclass(frozen=True, slots=True)
class Backups:
    """Which backups are made in the background.

    Attributes:
        folder: Where to.
        every: How long after one the next is made.
        keep: How many of the store the folder may hold.
    """

    folder: Path
    every: timedelta
    keep: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Which background work a process does.

    Attributes:
        kinds: Kinds of work on projects.
        every: How long after one time the next is due.
        checkout: Top of a checkout of the project's code, for what needs one.
        backups: Which backups are made; None: none.
    """

    kinds: frozenset[Kind] = frozenset({Kind.INDEX, Kind.AUDIT, Kind.DUPLICATES})
    every: timedelta = timedelta(hours=1)
    checkout: Path | None = None
    backups: Backups | None = None
