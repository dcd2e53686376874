"""What recall is asked: every argument, held to its kind and its range."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from project_memory import signatures
from project_memory.errors import InvalidInput
from project_memory.model import Status
from project_memory.services import browse, paths, selecting

MAX_QUERY = 20_000
"""Characters of a query that are read: a log's beginning says what it is about."""


class Order(StrEnum):
    """How answers are ordered."""

    RELEVANCE = "relevance"
    RECENT = "recent"


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked.

    Attributes:
        query: Plain words; empty to be oriented. Only its first 20,000 characters are read.
        related_to: Id of a memory to start from instead of, or beside, the words.
        files: Paths from the top of the repository. Beside a question, memories that name them are
            raised; without one, they alone answer, those that name a file itself first.
        label_query: Expression, or its structured form, that selects the candidates.
        prefer: Labels that raise a memory without filtering.
        status_filter: Statuses that may answer; None for active and stale.
        order: Relevance, or recent: newest first, without scores.
        limit: At most so many answers, from 1.
        offset: Answers to pass over.
        full_count: So many answers come with their whole document.
        max_tokens: Budget of the whole result, from 100.
        before: Only memories updated on or before this date.
        after: Only memories updated on or after this date.
        floor: Whether answers far below the best are cut.
        explain: Whether each answer says how its score came about.
        all_projects: Whether memories of other projects that reach everywhere answer too.
    """

    query: str = ""
    related_to: str | None = None
    files: tuple[str, ...] = ()
    label_query: Any = None
    prefer: tuple[str, ...] = ()
    status_filter: tuple[Status, ...] | None = None
    order: Order = Order.RELEVANCE
    limit: int = 8
    offset: int = 0
    full_count: int = 3
    max_tokens: int = 2000
    before: str | None = None
    after: str | None = None
    floor: bool = True
    explain: bool = False
    all_projects: bool = False

    @property
    def is_asked(self) -> bool:
        """Return whether anything is asked: words, or what is near a memory."""
        return bool(self.query.strip()) or self.related_to is not None


def checked_query(folder: Path | None = None, /, **given: Any) -> Query:
    """Return a query from the arguments of a caller; None stands for the default.

    Absolute paths are taken where they are in the repository that holds `folder`.

    Raises:
        InvalidInput: an argument is unknown, of the wrong kind or out of range.
    """
    named = {name: value for name, value in given.items() if value is not None}
    unknown = sorted(named.keys() - Query.__dataclass_fields__.keys())
    if unknown:
        raise InvalidInput(f"recall has no argument '{unknown[0]}'")
    for name in ("prefer", "files"):
        several = named.get(name, ())
        named[name] = (several,) if isinstance(several, str) else several
    named |= signatures.read(Query.__annotations__, named)
    named["status_filter"] = selecting.statuses(named.get("status_filter"))
    named["order"] = _order(named.get("order", Order.RELEVANCE))
    named["query"] = named.get("query", "")[:MAX_QUERY]
    named["files"] = paths.from_top(named["files"], folder)
    query = Query(**named)
    _check(query)
    return query


def _check(query: Query) -> None:
    browse.check_window(query.limit, query.offset)
    if query.full_count < 0:
        raise InvalidInput(f"full_count {query.full_count} is below 0; 0 gives light answers only")
    if query.max_tokens < 100:
        raise InvalidInput(f"max_tokens {query.max_tokens} is below 100; a small answer needs 100")


def _order(text: str) -> Order:
    try:
        return Order(text)
    except ValueError as error:
        raise InvalidInput(f"no order '{text}'; choose one of {', '.join(Order)}") from error
