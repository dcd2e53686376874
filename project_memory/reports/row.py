"""One line of a report, or one entry of several lines, whatever it reports on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One problem or finding.

    Attributes:
        code: Name of the rule, kebab-case.
        severity: error, warning or note.
        place: Where in the store: a memory's id, a label, a JSON path.
        message: What is the matter and what to do, without the place.
        file: Path relative to where the command runs, with forward slashes, or None.
        line: Line in the file, from 1, or None.
    """

    code: str
    severity: str
    place: str
    message: str
    file: str | None = None
    line: int | None = None

    @property
    def sentence(self) -> str:
        """Return place and message as one sentence."""
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an outline: a name, what it is, and what is to be said of it."""

    name: str
    text: str
    points: tuple[str, ...] = ()
