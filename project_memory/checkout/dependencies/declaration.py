"""What a file says about a dependency."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Declaration:
    """One dependency as a file has it.

    Attributes:
        name: As the language compares names.
        versions: What it allows, in the words of the language; None where any version may be
            meant: none is said, or a folder or an address instead.
        line: Line in the file, from 1, where it is known.
    """

    name: str
    versions: str | None = None
    line: int | None = None


class Unreadable(Exception):
    """A file is not what its name says; the message tells why."""


def line_of(text: str, *steps: str) -> int | None:
    """Return the line where the last of several patterns begins, each sought after the one before.

    A pattern that is not found is passed over; of the last one, none is no line.
    """
    at = 0
    found = None
    for step in steps:
        found = re.compile(step, re.MULTILINE).search(text, at)
        at = found.end() if found else at
    return text.count("\n", 0, found.start()) + 1 if found else None
