"""From a label query to the memories it selects."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from project_memory import expression, labels
from project_memory.index import BitMap, Index
from project_memory.model import Registry, Status
from project_memory.ports import Reader
from project_memory.services.curate import checked_status


def tree(
    label_query: Any,
    *,
    text: str | None = None,
    before: str | None = None,
    after: str | None = None,
) -> expression.Node:
    """Return the expression that a query and its extra conditions mean together.

    Raises:
        ExpressionSyntaxError: a part cannot be parsed.
    """
    parts: list[Any] = [expression.parse(label_query)]
    if text:
        parts.append(expression.text_term(text))
    if after:
        parts.append(expression.parse(f"updated:>={after}"))
    if before:
        parts.append(expression.parse(f"updated:<={before}"))
    return expression.all_of(parts)


def mentions_status(node: expression.Node) -> bool:
    """Return whether an expression speaks of status, so that it replaces a default filter."""
    return "status" in expression.fields(node)


def select(
    reader: Reader, project: int, index: Index, node: expression.Node, today: date
) -> BitMap:
    """Return the memories, as numbers of the index, that an expression selects.

    Raises:
        UnknownLabel: it names a label that is not registered.
    """

    def texts(ids: Iterable[str]) -> Any:
        return ((memory.id, memory.document) for memory in reader.memories(project, ids))

    return index.select(node, today=today, texts=texts)


def search(
    reader: Reader,
    project: int,
    index: Index,
    node: expression.Node,
    *,
    wanted: tuple[Status, ...] | None,
    today: date,
) -> list[str]:
    """Return the ids that an expression and a status filter select, sorted.

    Raises:
        UnknownLabel: the expression names a label that is not registered.
    """
    found = select(reader, project, index, node, today)
    return index.ids(found if wanted is None else found & index.with_status(wanted))


def statuses(given: Any) -> tuple[Status, ...] | None:
    """Return a status filter as statuses: None for the default, every one for ``all``.

    Raises:
        InvalidInput: a value is no status.
    """
    if given is None:
        return None
    names = [given] if isinstance(given, str) else list(given)
    return tuple(Status) if "all" in names else tuple(checked_status(name) for name in names)


def preferences(registry: Registry, names: Iterable[str]) -> tuple[str, ...]:
    """Return preferred labels in their canonical form.

    Raises:
        UnknownLabel: one is not registered.
    """
    return tuple(labels.resolve(registry, name) for name in names)
