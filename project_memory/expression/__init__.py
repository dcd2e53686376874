"""The label-expression language: text or its structured form -> tree.

What a tree selects is the index's business; see `project_memory.index.selection`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from project_memory.expression.tree import (
    And,
    Everything,
    FieldTerm,
    LabelTerm,
    Node,
    Not,
    Or,
    conjunction,
    fields,
    terms,
)

__all__ = [
    "And",
    "Everything",
    "FieldTerm",
    "LabelTerm",
    "Node",
    "Not",
    "Or",
    "all_of",
    "fields",
    "parse",
    "terms",
    "text_term",
]


def parse(source: str | Mapping[str, Any] | Sequence[Any] | None) -> Node:
    """Return the tree of an expression; None and blank text select everything.

    See `grammar` for the language and `structured` for the form of objects and lists.

    Raises:
        ExpressionSyntaxError: the source is no expression, or beyond a limit.
    """
    if source is None:
        return Everything()
    if isinstance(source, str):
        return _parsed(source)
    from project_memory.expression import structured  # noqa: PLC0415

    return structured.parse(source)


def all_of(nodes: Iterable[Node]) -> Node:
    """Return what all these trees select together."""
    return conjunction(list(nodes))


def text_term(words: str) -> FieldTerm:
    """Return the term that selects memories holding these words."""
    return FieldTerm("text", " ".join(words.split()))


@lru_cache(maxsize=1024)
def _parsed(source: str) -> Node:
    if not source.strip():
        return Everything()
    from project_memory.expression import grammar  # noqa: PLC0415  # pyparsing costs 100 ms

    return grammar.parse(source)
