"""Nodes of a label expression, and their canonical printing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

_PLAIN = re.compile(r"[^\s\"()|&!]+")


@dataclass(frozen=True, slots=True)
class Everything:
    """Selects the whole universe; the empty expression."""

    def __str__(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class LabelTerm:
    """A label, with its narrower ones unless `exact`; `*` in the value stands for any text."""

    label: str
    exact: bool = False

    def __str__(self) -> str:
        return f"={self.label}" if self.exact else self.label


@dataclass(frozen=True, slots=True)
class FieldTerm:
    """A field of the document, or of what the store keeps beside it, and the value asked for."""

    field: str
    value: str

    def __str__(self) -> str:
        return f"{self.field}:{quoted(self.value)}"


@dataclass(frozen=True, slots=True)
class Not:
    """Everything in the universe but what `item` selects."""

    item: Node

    def __str__(self) -> str:
        return _written(self)


@dataclass(frozen=True, slots=True)
class And:
    """What every item selects; at least two."""

    items: tuple[Node, ...]

    def __str__(self) -> str:
        return _written(self)


@dataclass(frozen=True, slots=True)
class Or:
    """What any item selects; at least two."""

    items: tuple[Node, ...]

    def __str__(self) -> str:
        return _written(self)


Node: TypeAlias = Everything | LabelTerm | FieldTerm | Not | And | Or


def conjunction(items: list[Node]) -> Node:
    """Return what all items select together, flat and without parts that select everything."""
    return _joined(And, [item for item in items if not isinstance(item, Everything)])


def disjunction(items: list[Node]) -> Node:
    """Return what any item selects, flat."""
    if any(isinstance(item, Everything) for item in items):
        return Everything()
    return _joined(Or, items)


def terms(node: Node) -> Iterator[LabelTerm | FieldTerm]:
    """Yield every term from left to right."""
    waiting = [node]
    while waiting:
        match waiting.pop():
            case LabelTerm() | FieldTerm() as term:
                yield term
            case Not(item=item):
                waiting.append(item)
            case And(items=items) | Or(items=items):
                waiting.extend(reversed(items))


def depth(node: Node) -> int:
    """Return how many of NOT, AND and OR stand above the deepest term."""
    deepest, waiting = 0, [(node, 0)]
    while waiting:
        here, above = waiting.pop()
        deepest = max(deepest, above)
        match here:
            case Not(item=item):
                waiting.append((item, above + 1))
            case And(items=items) | Or(items=items):
                waiting.extend((item, above + 1) for item in items)
    return deepest


def fields(node: Node) -> set[str]:
    """Return the names of the fields that an expression speaks of."""
    return {term.field for term in terms(node) if isinstance(term, FieldTerm)}


def quoted(value: str) -> str:
    """Return a field value as it is written: bare where it can be, else in quotes."""
    if _PLAIN.fullmatch(value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _joined(kind: type[And] | type[Or], items: list[Node]) -> Node:
    flat: list[Node] = []
    for item in items:
        flat.extend(item.items if isinstance(item, kind) else (item,))
    # by their text, which is made without recursion: hashing would go as deep as the tree
    unique = tuple({str(item): item for item in flat}.values())
    if not unique:
        return Everything()
    return unique[0] if len(unique) == 1 else kind(unique)


def _written(node: Node) -> str:
    """Return a tree as text; without recursion, so that it never depends on who asks."""
    text: list[str] = []
    waiting: list[Node | str] = [node]
    while waiting:
        match waiting.pop():
            case Not(item=item):
                waiting += [*_within(item), "NOT "]
            case And(items=items):
                waiting += _between(" AND ", items)
            case Or(items=items):
                waiting += _between(" OR ", items)
            case term:
                text.append(str(term))
    return "".join(text)


def _between(operator: str, items: tuple[Node, ...]) -> list[Node | str]:
    """Return what is to be written, the last first."""
    pieces: list[Node | str] = []
    for item in reversed(items):
        pieces += [*_within(item), operator]
    return pieces[:-1]


def _within(node: Node) -> list[Node | str]:
    return [")", node, "("] if isinstance(node, And | Or) else [node]
