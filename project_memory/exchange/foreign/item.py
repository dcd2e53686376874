"""What an importer finds in a file of another program: items with their places, and problems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from project_memory.model import Problem, Status

MAX_FILE = 64 * 1024 * 1024
"""Size of one file, in bytes."""
MAX_FILES = 10_000
"""Files of one folder."""
MAX_ITEMS = 20_000
"""Items of one import."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation to another item.

    Attributes:
        relation: As its source calls it, such as ``depends on``.
        target: The other's origin, or one of its aliases; case does not count.
        reason: Why, in the words of the source, or blank.
    """

    relation: str
    target: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One lesson as another program holds it.

    Attributes:
        origin: What its source calls it: the same at every import, unique in what was read.
        file: Name relative to what was read.
        line: Line in the file, or number of the row, from 1.
        title: What it is about; its id is made from it.
        facts: What it says, at least the title itself where there is nothing else.
        kind: Value of its ``kind:`` label.
        names: Categories and tags, as the source writes them.
        pitfalls: What to beware of.
        files: Paths or globs that it is about.
        triggers: Phrases that should bring it.
        created: Date or timestamp, in any form of ISO 8601, or None.
        confidence: low, medium, high, or None.
        related_doc: Relative path of a Markdown file, or None.
        status: Own status.
        status_reason: Why it is not active, or None.
        standing: Whether its source gives it to every session.
        ties: Relations to others.
        aliases: Further names by which ties call it.
    """

    origin: str
    file: str
    line: int
    title: str
    facts: tuple[str, ...] = ()
    kind: str = "observation"
    names: tuple[str, ...] = ()
    pitfalls: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    created: str | None = None
    confidence: str | None = None
    related_doc: str | None = None
    status: Status = Status.ACTIVE
    status_reason: str | None = None
    standing: bool = False
    ties: tuple[Tie, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Return file and line."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that was read.

    Attributes:
        format: Name of the format.
        items: In the order of the source.
        problems: What is broken; with any, nothing is imported.
        left_out: One sentence for everything that has no place here.
    """

    format: str
    items: tuple[Item, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: tuple[str, ...] = ()


class Findings:
    """Collects items, problems and what is left out, while a source is read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.items: list[Item] = []
        self.problems: list[Problem] = []
        self.left_out: list[str] = []

    def problem(self, code: str, message: str, fix: str, line: int | None = 1) -> None:
        """Note what is broken, with its place and remedy."""
        self.problems.append(Problem(code, message, fix=fix, file=self.file, line=line))

    def leave(self, line: int, sentence: str) -> None:
        """Note what has no place here."""
        self.left_out.append(f"{self.file}:{line}: {sentence}")

    def reading(self, name: str) -> Reading:
        """Return everything as what was read in the format of this name."""
        return Reading(name, tuple(self.items), tuple(self.problems), tuple(self.left_out))


def joined(name: str, readings: Iterator[Findings]) -> Reading:
    """Return what was read from several files as one."""
    items: list[Item] = []
    problems: list[Problem] = []
    left_out: list[str] = []
    for found in readings:
        items += found.items
        problems += found.problems
        left_out += found.left_out
    return Reading(name, tuple(items), tuple(problems), tuple(left_out))
