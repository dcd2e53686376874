"""What was read: documents with what stands beside them, labels, problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from project_memory.exchange.form import stem_of
from project_memory.model import Document, Expectation, Problem, Registry, Revision, Status
from project_memory.proposals import Proposal

Locate = Callable[[str], int | None]
"""JSON path -> line in the file, from 1."""


def nowhere(_: str) -> int | None:
    """Locate nothing: there is no file, or its text is not at hand."""
    return None


def as_is(path: str) -> str:
    """Return a path: the document stands in its file as it is."""
    return path


@dataclass(frozen=True, slots=True)
class Incoming:
    """One document that was read.

    Attributes:
        document: As it was normalised; not validated.
        file: Name relative to what was read.
        archived: Whether it is out of retrieval.
        archived_at: UTC timestamp where the source knows it.
        own_status: Own status where the source knows it apart from the shown one.
        pinned: Whether retention must leave it alone.
        meta: Everything the source store kept beside it, in an export with authority.
        locate: JSON path in its file -> line.
        placed: JSON path in the document -> that in its file; they differ after some repairs.
        repairs: One sentence for everything that was put right in it.
        sound: Whether it was found valid as it was read, so that nothing is left to check.
    """

    document: Document
    file: str
    archived: bool = False
    archived_at: str | None = None
    own_status: Status | None = None
    pinned: bool = False
    meta: Mapping[str, Any] | None = None
    locate: Locate = nowhere
    placed: Callable[[str], str] = as_is
    repairs: tuple[str, ...] = ()
    sound: bool = False

    @property
    def stem(self) -> str:
        """Return the name of the file without its folder and ending."""
        return stem_of(self.file)

    def located(self, problem: Problem) -> Problem:
        """Return a problem of the document with its place in the file."""
        path = self.placed(problem.path)
        return replace(problem, path=path, file=self.file, line=self.locate(path))


@dataclass(frozen=True, slots=True)
class Package:
    """Everything that was read, by id; `problems` name what could not be.

    `unread` holds ids of which nothing reliable is known: their files could not be read, or
    the names of files and the ids in them disagree. `partial` says that the documents have
    neighbours elsewhere, of which nothing is known. `beside` is the file that holds the
    expectations, and what finds the line of a path in it.
    """

    memories: tuple[Incoming, ...] = ()
    registry: Registry = field(default_factory=Registry)
    history: tuple[Revision, ...] = ()
    problems: tuple[Problem, ...] = ()
    repairs: tuple[str, ...] = ()
    unread: frozenset[str] = frozenset()
    proposals: tuple[Proposal, ...] = ()
    partial: bool = False
    expectations: tuple[Expectation, ...] = ()
    beside: tuple[str, Locate] = field(default=("", nowhere), compare=False)


def located(problem: Problem, file: str, locate: Locate) -> Problem:
    """Return a problem with the file, and the line in it, that it is about."""
    return replace(problem, file=file, line=locate(problem.path))
