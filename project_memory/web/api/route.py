"""What one route is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from project_memory import resources
from project_memory.hosting import Host
from project_memory.roles import Right, Speaker

BASE = "/api/v1"
WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
"""Methods whose arguments are a JSON object in the body; those of others are in the query."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that concerns no project.

    Attributes:
        host: The store.
        speaker: Who asks; None where anybody may.
        session: The session that came with it, if it is one that is accepted.
        expires_at: UTC timestamp of the session's end.
    """

    host: Host
    speaker: Speaker | None = None
    session: bytes | None = None
    expires_at: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """An answer that changes the browser's session.

    Attributes:
        answer: What is told.
        session: The session; None for none.
        seconds: How long the browser keeps it.
        told: What the log tells of it.
    """

    answer: Any
    session: str | None = None
    seconds: int = 0
    told: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one path.

    Attributes:
        method: GET, POST, PUT, PATCH or DELETE.
        path: Below `BASE`; ``{name}`` stands for the argument of that name.
        title: What it does, in a few words.
        call: What answers. Of a project: (memories, what the path names in that order, the other
            arguments by name) -> answer. Else: (visit, the same) -> answer. Bytes are
            JSON already.
        arguments: Name of the schema of all arguments, those in the path too.
        answer: Name of the schema of the answer.
        right: What it needs of who asks, there or else in the whole store; None where it is enough
            to be known.
        of_project: Whether it is asked of a project.
        is_open: Whether anybody may ask, known or not.
        is_attempt: Whether it tries a credential, which is not let happen without bound.
    """

    method: str
    path: str
    title: str
    call: Callable[..., Any]
    arguments: str = "api/nothing.input"
    answer: str = "output/receipt"
    right: Right | None = Right.WRITE
    of_project: bool = True
    is_open: bool = False
    is_attempt: bool = False

    @property
    def whole_path(self) -> str:
        """Return the path from the server's top."""
        return BASE + self.path

    @property
    def named(self) -> tuple[str, ...]:
        """Return the names of the arguments in the path, in order."""
        return tuple(re.findall(r"\{(\w+)\}", self.path))

    @property
    def has_body(self) -> bool:
        """Return whether the arguments are in the body."""
        return self.method in WITH_BODY

    @property
    def schema(self) -> dict[str, Any]:
        """Return the schema of the arguments."""
        return resources.schema(self.arguments)
