"""Revisions read back: the change feed and the undo log."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from project_memory.model import Actor, Authority, Revision
from project_memory.storage.codec import change_from_row
from project_memory.storage.relational.session import Session

_BATCH = 64
_TOGETHER = 8
"""Revisions whose changes are read by one statement: an import's may be as large as a store."""

_LARGEST = 2**63 - 1
_COLUMNS = "r.number, r.actor, r.authority, r.operation, r.reason, r.time, r.undoes"
_OF_PROJECT = f"SELECT {_COLUMNS} FROM revisions AS r WHERE r.project = ?"
_OF_ACTOR = f"SELECT {_COLUMNS} FROM revisions AS r {{hint}} WHERE r.project = ? AND r.actor = ?"
# To SQLite, CROSS JOIN says that the memory's own few rows are the outer loop. One memory at a
# time, since only then the index gives its revisions in their order.
_OF_MEMORY = f"""SELECT {_COLUMNS} FROM history AS h CROSS JOIN revisions AS r
    WHERE r.project = h.project AND r.number = h.revision
    AND h.project = ? AND h.memory_key = ?"""
_PAST_OF = "SELECT DISTINCT memory_key FROM history {hint} WHERE project = ? AND memory_id = ?"


@dataclass(frozen=True, slots=True)
class Hints:
    """What tells a planner its way, after the name of the table; nothing for one who knows."""

    by_actor: str = ""
    by_id: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """Which revisions: ``after < number < before``, in which order, how many at most."""

    after: int
    before: int | None
    newest_first: bool
    limit: int | None


def revisions(
    session: Session,
    project: int,
    span: Span,
    hints: Hints,
    *,
    memory_id: str | None,
    actor: str | None,
) -> Iterator[Revision]:
    """Yield revisions with all their changes; see `Reader.revisions`."""
    session.check_open()
    if memory_id is None:
        query = _OF_PROJECT if actor is None else _OF_ACTOR.format(hint=hints.by_actor)
        return _pages(session, query, "r.number", (project, actor), span)
    query = _OF_MEMORY if actor is None else f"{_OF_MEMORY} AND r.actor = ?"
    lives = [
        _pages(session, query, "h.revision", (project, key, actor), span)
        for key in _keys_of(session, project, memory_id, hints)
    ]
    return _merged(lives, span)


def _merged(lives: Iterable[Iterator[Revision]], span: Span) -> Iterator[Revision]:
    """Yield the revisions of several memories in order, each once, not more than asked for."""

    def number(revision: Revision) -> int:
        return revision.number

    ordered = heapq.merge(*lives, key=number, reverse=span.newest_first)
    each = (next(same) for _, same in groupby(ordered, number))
    return islice(each, None if span.limit is None else min(_LARGEST, max(0, span.limit)))


def _pages(
    session: Session, query: str, number: str, subject: tuple[Any, ...], span: Span
) -> Iterator[Revision]:
    """Yield revisions that a query selects; members of `subject` that are None are not asked."""
    parameters = [value for value in subject if value is not None]
    order = "DESC" if span.newest_first else "ASC"
    sql = f"{query} AND {number} > ? AND {number} < ? ORDER BY {number} {order} LIMIT ?"
    low = _clamped(span.after)
    high = _LARGEST if span.before is None else _clamped(span.before)
    left = _LARGEST if span.limit is None else max(0, _clamped(span.limit))
    while left > 0:
        rows = session.rows(sql, (*parameters, low, high, min(left, _BATCH)))
        for first in range(0, len(rows), _TOGETHER):
            yield from _with_changes(session, parameters[0], rows[first : first + _TOGETHER])
        if len(rows) < _BATCH:
            return
        left -= len(rows)
        low, high = (low, rows[-1][0]) if span.newest_first else (rows[-1][0], high)


def _with_changes(
    session: Session, project: int, rows: Sequence[tuple[Any, ...]]
) -> Iterator[Revision]:
    places = ", ".join("?" * len(rows))
    sql = f"""SELECT revision, subject, before, after FROM history
        WHERE project = ? AND revision IN ({places}) ORDER BY revision, seq"""
    changes: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for number, *change in session.rows(sql, (project, *(row[0] for row in rows))):
        changes[number].append(tuple(change))
    for row in rows:
        yield _revision(row, changes.pop(row[0], []))


def _revision(row: tuple[Any, ...], changes: Iterable[tuple[Any, ...]]) -> Revision:
    number, actor, authority, operation, reason, time, undoes = row
    return Revision(
        number=number,
        actor=Actor(actor, Authority(authority)),
        operation=operation,
        reason=reason,
        time=time,
        changes=tuple(change_from_row(*change) for change in changes),
        undoes=undoes,
    )


def _keys_of(session: Session, project: int, memory_id: str, hints: Hints) -> list[int]:
    """Return the keys of all memories that have, or ever had, this id, sorted."""
    present = "SELECT key FROM memories WHERE project = ? AND id = ?"
    past = _PAST_OF.format(hint=hints.by_id)
    rows = [session.rows(sql, (project, memory_id)) for sql in (present, past)]
    return sorted({int(row[0]) for found in rows for row in found})


def _clamped(number: int) -> int:
    return max(-_LARGEST, min(_LARGEST, number))
