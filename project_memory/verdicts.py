"""What a checkout says to the checks of a memory; of a check that holds it says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """How a check stands that does not hold."""

    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One check that does not hold.

    Attributes:
        standing: Whether the code contradicts it, or nothing can be said.
        message: What is the matter, on one line.
        fix: What to do.
        file: Path from the top of the checkout where it shows, or None.
        line: Line in that file, from 1, or None.
        position: Which of the memory's checks it is, from 0.
    """

    standing: Standing
    message: str
    fix: str
    file: str | None = None
    line: int | None = None
    position: int = 0
