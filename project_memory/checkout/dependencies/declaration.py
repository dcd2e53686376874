"""What a file says about a dependency."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

Locate: TypeAlias = Callable[[str], int | None]
"""Returns a line of the text of a file, from 1, where it is known."""


def nowhere(_: str) -> None:
    """Return no line."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """One dependency as a file has it.

    Attributes:
        name: As the language compares names.
        versions: What it allows, in the words of the language; None where any version may be
            meant: none is said, or a folder or an address instead.
        locate: Finds its line; to do so for every name of a large file would take minutes.
    """

    name: str
    versions: str | None = None
    locate: Locate = nowhere


@dataclass(frozen=True, slots=True)
class Malformed:
    """What stands where a dependency should, and is none.

    Attributes:
        text: It, as the file has it.
        locate: Finds its line.
    """

    text: str
    locate: Locate = nowhere


class Unreadable(Exception):
    """A file is not what its name says; the message tells why."""


def at(line: int) -> Locate:
    """Return what tells a line that is known."""
    return lambda _: line


def after(*steps: str) -> Locate:
    """Return what finds where the last of several patterns begins.

    Each is sought after the one before, and passed over if it is not found, but for the last one.
    """
    return partial(_line, steps)


def _line(steps: tuple[str, ...], text: str) -> int | None:
    position = 0
    found = None
    for step in steps:
        found = re.compile(step, re.MULTILINE).search(text, position)
        position = found.end() if found else position
    return text.count("\n", 0, found.start()) + 1 if found else None
