"""What a client's configuration says of the server."""

from __future__ import annotations

from dataclasses import dataclass

SERVER_NAME = "project-memory"


@dataclass(frozen=True, slots=True)
class Entry:
    """The command that starts the server over stdio."""

    command: str
    args: tuple[str, ...]
