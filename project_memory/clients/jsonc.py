"""Read JSON with comments and trailing commas, and remember where everything stands.

Why not a library: those that keep comments either write the whole text anew, or start Node.

``value = object | array | string | number | "true" | "false" | "null"``, as in RFC 8259; between
any two signs there may be blanks, ``// to the end of the line`` and ``/* within */``; a comma may
stand behind the last member or item.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from project_memory.errors import InvalidInput

MARK = "\ufeff"
"""The byte order mark that some editors put first."""

_DEEPEST = 100
_BETWEEN = re.compile(r"(?:[ \t\r\n]|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a text, from `start` to before `end`, with its members or items in order."""

    start: int
    end: int
    value: Any
    children: tuple[Child, ...] = ()

    def child(self, key: str | int) -> Child | None:
        """Return the member of a name (the last of several, as readers do) or item, if there."""
        return next((each for each in reversed(self.children) if each.key == key), None)

    def at(self, path: Sequence[str | int]) -> Node | None:
        """Return what stands at a path of names and numbers from here, if anything does."""
        node: Node | None = self
        for key in path:
            found = node.child(key) if node else None
            node = found.node if found else None
        return node


@dataclass(frozen=True, slots=True)
class Child:
    """A member or item: where it begins, name or number, value, and the comma behind it."""

    start: int
    key: str | int
    node: Node
    comma: int | None


def read(text: str, path: Sequence[str | int] | None = None) -> Node:
    """Return the value in a text.

    With a path, what stands beside it may be passed over: such nodes have no value and no
    children. A client's file can be large, and holds little that concerns us.

    Raises:
        InvalidInput: it is no JSON, even with comments and trailing commas; says where.
    """
    reader = _Reader(text, len(MARK) if text.startswith(MARK) else 0)
    reader.skip()
    node = reader.value(0, path if path and _is_json(text) else None)
    reader.skip()
    if reader.place < len(text):
        reader.fail("the end is expected")
    return node


def _is_json(text: str) -> bool:
    """Return whether a text is JSON without anything more; then it need not be checked again."""
    try:
        json.loads(text.removeprefix(MARK), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


class _Reader:
    """A place in a text that moves on."""

    def __init__(self, text: str, place: int) -> None:
        self.text, self.place = text, place

    def skip(self) -> None:
        match = _BETWEEN.match(self.text, self.place)
        assert match  # it matches nothing at all, too
        self.place = match.end()

    def fail(self, expected: str) -> NoReturn:
        before = self.text[: self.place].removeprefix(MARK).split("\n")
        place = f"line {len(before)} column {len(before[-1]) + 1}"
        raise InvalidInput(
            f"{place} is not JSON ({expected}); correct it by hand and run this again"
        )

    def value(self, depth: int, path: Sequence[str | int] | None) -> Node:
        """Read what stands here; of a container that a path leads through only what is on it."""
        if depth > _DEEPEST:
            self.fail(f"more than {_DEEPEST} values are nested")
        match self.text[self.place : self.place + 1]:
            case "{":
                return self._container("}", depth, path)
            case "[":
                return self._container("]", depth, path)
            case '"':
                return self._plain(_STRING)
            case _:
                return self._plain(_SCALAR)

    def _plain(self, form: re.Pattern[str]) -> Node:
        found = form.match(self.text, self.place)
        try:
            decoded = json.loads(found[0]) if found else None
        except ValueError:  # an escape that is none, a number of too many digits
            found = None
        if found is None:
            self.fail("a value is expected")
        start, self.place = self.place, found.end()
        return Node(start, self.place, decoded)

    def _passed_over(self) -> Node:
        start, depth = self.place, 0
        if self.text[start] not in "{[":
            return self._plain(_STRING if self.text[start] == '"' else _SCALAR)
        for sign in _BRACKETS.finditer(self.text, start):
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(sign[0], 0)
            if depth == 0:
                self.place = sign.end()
                break
        return Node(start, self.place, None)

    def _container(self, closing: str, depth: int, path: Sequence[str | int] | None) -> Node:
        start = self.place
        self.place += 1
        children: list[Child] = []
        while not self._closes(closing):
            if children and children[-1].comma is None:
                self.fail(f"',' or '{closing}' is expected")
            children.append(self._child(closing, len(children), depth, path))
        value = (
            {each.key: each.node.value for each in children}
            if closing == "}"
            else [each.node.value for each in children]
        )
        return Node(start, self.place, value, tuple(children))

    def _closes(self, closing: str) -> bool:
        self.skip()
        if not self.text.startswith(closing, self.place):
            return False
        self.place += 1
        return True

    def _child(
        self, closing: str, number: int, depth: int, path: Sequence[str | int] | None
    ) -> Child:
        start = self.place
        key: str | int = number
        if closing == "}":
            if not self.text.startswith('"', start):
                self.fail("a name in quotes or '}' is expected")
            key = self._plain(_STRING).value
            self.skip()
            if not self.text.startswith(":", self.place):
                self.fail("':' is expected")
            self.place += 1
            self.skip()
        if path and key != path[0]:
            node = self._passed_over()
        else:
            node = self.value(depth + 1, path[1:] if path else None)
        self.skip()
        comma = self.place if self.text.startswith(",", self.place) else None
        self.place += comma is not None
        return Child(start, key, node, comma)
