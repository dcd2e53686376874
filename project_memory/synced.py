"""What a store keeps of a folder that it is synced with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Synced:
    """The state of a project that a folder was brought to.

    What both sides had in common then is the project at that revision, so that no text is kept
    twice.

    Attributes:
        project: Key of the project.
        host: Name of the machine that the folder is on.
        folder: Its absolute path there.
        revision: The project's revision.
        mark: What tells that revision from others of its number, see `Reader.mark`.
        absent: Key of each memory of which the folder says what waits for a person to decide ->
            the revision at which both sides said the same of it last.
    """

    project: int
    host: str
    folder: str
    revision: int
    mark: str
    absent: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
