"""From a label query to the memories it selects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum
from typing import Any

from project_memory import expression, labels
from project_memory.errors import InvalidInput
from project_memory.expression.values import period
from project_memory.index import BitMap, Index, parted
from project_memory.lifecycle import checked_status
from project_memory.model import Document, Registry, Status
from project_memory.ports import Reader
from project_memory.services.known import Known

_DAY = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


class Order(StrEnum):
    """How a list is ordered: by id, or the last updated first."""

    ID = "id"
    RECENT = "recent"


def tree(
    label_query: Any,
    *,
    text: str | None = None,
    before: str | None = None,
    after: str | None = None,
) -> expression.Node:
    """Return the expression that a query and its extra conditions mean together.

    Raises:
        ExpressionSyntaxError: the label query cannot be parsed.
        InvalidInput: `before` or `after` is no date.
    """
    parts: list[Any] = [expression.parse(label_query)]
    if text:
        parts.append(expression.text_term(text))
    for name, sign, day in (("after", ">=", after), ("before", "<=", before)):
        if day:
            parts.append(_updated(name, sign, day))
    return expression.all_of(parts)


def _updated(name: str, sign: str, day: str) -> expression.Node:
    # built and not parsed, so that nothing but a day can be asked for
    if not _DAY.fullmatch(day) or period(day, date.max) is None:
        raise InvalidInput(f"{name} is '{day}'; write a date like 2026-01-31, 2026-01 or 2026")
    return expression.FieldTerm("updated", f"{sign}{day}")


def mentions_status(node: expression.Node) -> bool:
    """Return whether an expression speaks of status, so that it replaces a default filter."""
    return "status" in expression.fields(node)


def select(known: Known, index: Index, node: expression.Node, today: date) -> BitMap:
    """Return the memories, as numbers of the index, that an expression selects.

    Raises:
        UnknownLabel: it names a label that is not registered.
    """

    def texts(names: Iterable[str]) -> Iterator[tuple[str, Document]]:
        for name in names:
            project, memory_id = parted(name)
            theirs = known.of(project)
            memory = theirs(memory_id)
            if memory is not None:
                yield name, memory.document if project is None else theirs.told(memory.document)

    return index.select(node, today=today, texts=texts)


def search(
    reader: Reader,
    project: int,
    index: Index,
    node: expression.Node,
    *,
    wanted: tuple[Status, ...] | None,
    today: date,
    order: Order = Order.ID,
) -> list[str]:
    """Return the ids that an expression and a status filter select, in this order.

    Raises:
        UnknownLabel: the expression names a label that is not registered.
    """
    found = select(Known(reader, project), index, node, today)
    chosen = found if wanted is None else found & index.with_status(wanted)
    return index.newest(chosen) if order is Order.RECENT else index.ids(chosen)


def ordered(text: str) -> Order:
    """Return the order of this name.

    Raises:
        InvalidInput: there is none.
    """
    try:
        return Order(text)
    except ValueError as error:
        raise InvalidInput(f"no order '{text}'; choose one of {', '.join(Order)}") from error


def statuses(given: Any) -> tuple[Status, ...] | None:
    """Return a status filter as statuses: None for the default, every one for ``all``.

    Raises:
        InvalidInput: a value is no status.
    """
    if given is None:
        return None
    if not isinstance(given, str | list | tuple | set | frozenset):
        raise InvalidInput(f"status_filter is of type {type(given).__name__}; give a list of them")
    names = [given] if isinstance(given, str) else list(given)
    return tuple(Status) if "all" in names else tuple(checked_status(name) for name in names)


def preferences(registry: Registry, names: Iterable[str]) -> tuple[str, ...]:
    """Return preferred labels in their canonical form.

    Raises:
        UnknownLabel: one is not registered.
    """
    return tuple(labels.resolve(registry, name) for name in names)
