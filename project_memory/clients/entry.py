"""What a client's configuration says of the server, and how its files hold it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

SERVER_NAME = "project-memory"


@dataclass(frozen=True, slots=True)
class Entry:
    """The command that starts the server over stdio."""

    command: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Format:
    """How a configuration file holds servers.

    Attributes:
        with_server: (text, or None where there is no file; entry) -> the text with our server.
        without_server: text -> it without our server; None if the file was made for it.
        command: text -> the words that start our server there; empty if it is not there.
    """

    with_server: Callable[[str | None, Entry], str]
    without_server: Callable[[str], str | None]
    command: Callable[[str], tuple[str, ...]]


def words(server: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the command line of a server, in any client's form."""
    command = server.get("command", ())
    start = command if isinstance(command, list) else [command]
    args = server.get("args", [])
    return tuple(str(word) for word in (*start, *(args if isinstance(args, list) else [])))
