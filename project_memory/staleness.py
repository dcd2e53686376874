"""What became of the files that a memory names since it was last validated."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fate(StrEnum):
    """What became of a file; where it is as it was, or nothing is known of it, there is none."""

    CHANGED = "changed"
    RENAMED = "renamed"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class FileState:
    """A path, or a glob, that a memory names and that needs a look.

    Attributes:
        path: As the memory has it.
        fate: What became of it.
        files: Of a glob or a folder, every file in it that changed or is gone, sorted.
        now: Of a renamed one, its path now.
    """

    path: str
    fate: Fate
    files: tuple[str, ...] = ()
    now: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A path, or a glob, that a memory names, and the day on which the memory was validated."""

    path: str
    day: str
