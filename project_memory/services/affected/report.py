"""What is told of the lessons that a change touches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from project_memory.model import Status
from project_memory.services.store import StoreInfo


class Kind(StrEnum):
    """How a change touches a lesson, the most direct first."""

    FILE = "file"
    CHECK = "check"
    GLOB = "glob"
    SUCCESSOR = "successor"
    IDENTIFIER = "identifier"
    DEPENDENT = "dependent"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a lesson is told.

    Attributes:
        kind: How it is touched.
        message: What it names and what became of that.
        path: File of the change where it shows, or None.
        line: Line in that file, as it is now, from 1; or None.
    """

    kind: Kind
    message: str
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A memory that a change touches.

    Attributes:
        pitfalls: What not to do, of a lesson that says so.
        reasons: Why it is told, the most direct first.
        revalidate: Why it must be looked at again; empty where it need not.
        banner: Why it must not be taken as current, or None.
    """

    id: str
    status: Status
    description: str
    labels: tuple[str, ...]
    version: int
    pitfalls: tuple[str, ...]
    reasons: tuple[Reason, ...]
    revalidate: tuple[str, ...]
    banner: str | None = None


@dataclass(frozen=True, slots=True)
class Affected:
    """What a change touches.

    Attributes:
        lessons: Those with pitfalls first, then by how directly; dependents last.
        change: How the change is called, after a number of files.
        files: How many files it has.
        checkout: Top of the checkout, or None where files were named without one.
        checked: Memories that were looked at: those in retrieval that are active or stale.
        counts: How many lessons, how many with pitfalls, how many to revalidate.
        notes: What is not sure, and what was left out.
    """

    lessons: tuple[Lesson, ...]
    change: str
    files: int
    checkout: str | None
    checked: int
    counts: Mapping[str, int]
    notes: tuple[str, ...]
    store: StoreInfo
