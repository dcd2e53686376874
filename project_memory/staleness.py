"""What became of the files that a memory names since it was last validated."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from project_memory.model import Memory


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


def named_files(memory: Memory) -> list[Named]:
    """Return each file that a memory names, once, as of its last validation."""
    day = memory.document["evidence"]["last_validated"]
    return [Named(path, day) for path in dict.fromkeys(memory.document["scope"].get("files", ()))]


_LASTING = frozenset({"kind:decision", "kind:architecture", "kind:convention"})
_SEEN = frozenset({"kind:bug", "kind:observation"})


def outlasts_changes(labels: Collection[str]) -> bool:
    """Return whether a memory with these labels holds whatever becomes of its files' content.

    What was decided holds until it is decided otherwise; what was seen in a file may not be there
    any more once the file changes.
    """
    return not _LASTING.isdisjoint(labels) and _SEEN.isdisjoint(labels)
