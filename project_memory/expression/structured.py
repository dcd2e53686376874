"""Parse the structured form: ``{"all": [...], "any": [...], "not": [...]}``.

Members are strings of the language or further objects; several keys of one object mean AND;
`and` and `or` are synonyms of `all` and `any`; a list stands for `all`.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from project_memory.errors import ExpressionSyntaxError
from project_memory.expression import grammar, limits
from project_memory.expression.tree import (
    Everything,
    Node,
    Not,
    conjunction,
    disjunction,
)

_KEYS = {"all": "all", "and": "all", "any": "any", "or": "any", "not": "not"}


def parse(source: Any) -> Node:
    """Return the tree of a structured expression; empty ones select everything.

    Raises:
        ExpressionSyntaxError: a key or member is not allowed; the source is the member.
    """
    node = _node(source, 0)
    limits.check(node, "{...}")
    return node


def _node(source: Any, depth: int) -> Node:
    if depth > limits.MAX_NESTING:
        raise ExpressionSyntaxError("{...}", 0, f"at most {limits.MAX_NESTING} levels")
    match source:
        case None:
            return Everything()
        case str():
            return grammar.parse(source) if source.strip() else Everything()
        case Mapping():
            return conjunction([_member(key, value, depth) for key, value in source.items()])
        case Sequence():
            return conjunction([_node(item, depth + 1) for item in source])
    raise ExpressionSyntaxError(repr(source), 0, "an expression, an object or a list")


def _member(key: Any, value: Any, depth: int) -> Node:
    if key not in _KEYS:
        near = difflib.get_close_matches(str(key), _KEYS, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise ExpressionSyntaxError(str(key), 0, f"one of the keys all, any, not{hint}")
    single = isinstance(value, str | Mapping)
    if not single and not isinstance(value, Sequence):
        raise ExpressionSyntaxError(repr(value), 0, f"a list of expressions for '{key}'")
    items = [_node(item, depth + 1) for item in ([value] if single else value)]
    match _KEYS[key]:
        case "all":
            return conjunction(items)
        case "any":
            return disjunction(items) if items else Everything()
    return conjunction([_negated(item) for item in items])


def _negated(item: Node) -> Node:
    if isinstance(item, Everything):
        raise ExpressionSyntaxError("", 0, "a condition to negate")
    return Not(item)
