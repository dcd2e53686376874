"""Revisions read back: the change feed and the undo log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from project_memory.model import Actor, Authority, Revision
from project_memory.storage.codec import change_from_row
from project_memory.storage.sqlite.session import Session

_BATCH = 64
_LARGEST = 2**63 - 1
_COLUMNS = "r.number, r.actor, r.authority, r.operation, r.reason, r.time, r.undoes"
_OF_PROJECT = f"SELECT {_COLUMNS} FROM revisions AS r WHERE r.project = ?"
# Left to itself, the planner walks the numbers until it meets the actor.
_OF_ACTOR = f"""SELECT {_COLUMNS} FROM revisions AS r INDEXED BY revisions_by_actor
    WHERE r.project = ? AND r.actor = ?"""
# CROSS JOIN keeps the memory's own few rows as the outer loop.
_OF_MEMORY = f"""SELECT {_COLUMNS} FROM history AS h CROSS JOIN revisions AS r
    ON r.project = h.project AND r.number = h.revision
    WHERE h.project = ? AND h.memory_key = ?"""


@dataclass(frozen=True, slots=True)
class Span:
    """Which revisions: ``after < number < before``, in which order, how many at most."""

    after: int
    before: int | None
    newest_first: bool
    limit: int | None


def revisions(
    session: Session, project: int, span: Span, *, memory_id: str | None, actor: str | None
) -> Iterator[Revision]:
    """Yield revisions with all their changes; see `Reader.revisions`."""
    session.check_open()
    parameters: list[Any] = [project]
    query, number = _OF_PROJECT, "r.number"
    if memory_id is not None:
        key = _key_of(session, project, memory_id)
        if key is None:
            return iter(())
        query, number, parameters = _OF_MEMORY, "h.revision", [project, key]
    if actor is not None:
        query = _OF_ACTOR if memory_id is None else f"{_OF_MEMORY} AND r.actor = ?"
        parameters = [*parameters, actor]
    order = "DESC" if span.newest_first else "ASC"
    sql = f"{query} AND {number} > ? AND {number} < ? ORDER BY {number} {order} LIMIT ?"
    return _pages(session, sql, parameters, span)


def _pages(session: Session, sql: str, parameters: list[Any], span: Span) -> Iterator[Revision]:
    low = _clamped(span.after)
    high = _LARGEST if span.before is None else _clamped(span.before)
    left = _LARGEST if span.limit is None else max(0, _clamped(span.limit))
    while left > 0:
        rows = session.rows(sql, (*parameters, low, high, min(left, _BATCH)))
        for row in rows:
            yield _revision(session, parameters[0], row)
        if len(rows) < _BATCH:
            return
        left -= len(rows)
        low, high = (low, rows[-1][0]) if span.newest_first else (rows[-1][0], high)


def _revision(session: Session, project: int, row: tuple[Any, ...]) -> Revision:
    number, actor, authority, operation, reason, time, undoes = row
    sql = """SELECT subject, before, after FROM history
        WHERE project = ? AND revision = ? ORDER BY seq"""
    changes = session.rows(sql, (project, number))
    return Revision(
        number=number,
        actor=Actor(actor, Authority(authority)),
        operation=operation,
        reason=reason,
        time=time,
        changes=tuple(change_from_row(*change) for change in changes),
        undoes=undoes,
    )


def _key_of(session: Session, project: int, memory_id: str) -> int | None:
    """Return the key of the memory that has this id, or else had it last."""
    present = "SELECT key FROM memories WHERE project = ? AND id = ?"
    # Left to itself, the planner walks the revisions back until it meets the id.
    # In one revision a memory may give its id up and another take it: the taker had it last.
    past = """SELECT memory_key FROM history INDEXED BY history_by_id
        WHERE project = ? AND memory_id = ?
        ORDER BY revision DESC, after IS NULL, seq DESC LIMIT 1"""
    row = session.row(present, (project, memory_id)) or session.row(past, (project, memory_id))
    return None if row is None else int(row[0])


def _clamped(number: int) -> int:
    return max(-_LARGEST, min(_LARGEST, number))
