"""Put a value into JSON with comments, and take it out so that the text is as it was before.

What is put goes behind everything else in its container, in the way in which the container is
written; no other sign changes. Taking out has no copy of the old text to go by. It sees from
blanks whether a container was made for what it holds: one that was made has a blank behind its
opening sign, and what is put into an empty one that was there stands directly behind that sign.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from project_memory.clients.jsonc import MARK, Child, Node, read
from project_memory.errors import InvalidInput

Path = Sequence[str | int]

_REST_OF_LINE = re.compile(r"(?:[ \t]*/\*(?:(?!\*/)[^\r\n])*\*/)*(?:[ \t]*//[^\r\n]*)?")
_INDENT = re.compile(r"^([ \t]+)[^\s/]", re.MULTILINE)
_BEFORE = re.compile(r"(?:\r?\n)?[ \t]*\Z")


def found(text: str, path: Path) -> Any:
    """Return the value at a path, or None.

    Raises:
        InvalidInput: the text cannot be read.
    """
    node = None if is_blank(text) else read(text, path).at(path)
    return node.value if node else None


def put(text: str | None, path: Path, value: Any) -> str:
    """Return a text with a value at a path; None is a file that is not there.

    Objects on the way that are missing are made.

    Raises:
        InvalidInput: the text cannot be read, or what stands on the way is no object.
    """
    if text is None or is_blank(text):
        return _new(text, path, value)
    holder, depth = _deepest(read(text, path), path)
    if depth == len(path):
        return text[: holder.start] + json.dumps(value, ensure_ascii=False) + text[holder.end :]
    _demand(holder, dict, path[:depth])
    return _inserted(text, holder, path[depth], path[depth + 1 :], value)


def append(text: str | None, path: Path, item: Any) -> str:
    """Return a text with one more item in the array at a path, which is made if it is missing.

    Raises:
        InvalidInput: the text cannot be read, or what stands there is no array.
    """
    node = None if text is None or is_blank(text) else read(text, path).at(path)
    if text is None or node is None:
        return put(text, path, [item])
    _demand(node, list, path)
    return _inserted(text, node, len(node.children), (), item)


def without(text: str, path: Path) -> str | None:
    """Return a text without what stands at a path; None if the whole file was made for it.

    Raises:
        InvalidInput: the text cannot be read.
    """
    root = read(text, path)
    if root.at(path) is None:
        return text
    holders = [node for depth in range(len(path)) if (node := root.at(path[:depth]))]
    while len(holders) > 1 and _was_made(text, holders[-1]):
        holders.pop()
    holder = holders[-1]
    if holder is root and _was_made(text, root):
        return _without_all(text, root)
    child = holder.child(path[len(holders) - 1])
    assert child
    return _cut(text, holder, child)


def is_blank(text: str) -> bool:
    """Return whether nothing stands in a text."""
    return not text.removeprefix(MARK).strip()


def _new(text: str | None, path: Path, value: Any) -> str:
    for key in reversed(path):
        value = {key: value}
    written = json.dumps(value, ensure_ascii=False, indent=2)
    # no line end behind it tells a file that was there and empty from one that was not there
    return f"{written}\n" if text is None else text + written


def _without_all(text: str, root: Node) -> str | None:
    before, after = text[: root.start], text[root.end :]
    if not after:
        return before
    if not before and after in {"\n", "\r\n"}:
        return None
    return f"{before}{{}}{after}"


def _deepest(root: Node, path: Path) -> tuple[Node, int]:
    """Return the last value on a path that is there, and how many steps lead to it."""
    reached = [node for depth in range(len(path) + 1) if (node := root.at(path[:depth]))]
    return reached[-1], len(reached) - 1


def _demand(node: Node, kind: type, path: Path) -> None:
    if isinstance(node.value, kind):
        return
    name = "object" if kind is dict else "array"
    if not path:
        raise InvalidInput(f"it holds no JSON {name}; correct it by hand and run this again")
    raise InvalidInput(
        f"'{'.'.join(map(str, path))}' is not an {name}; correct it by hand and run this again"
    )


def _inserted(text: str, holder: Node, key: str | int, rest: Path, value: Any) -> str:
    """Return a text with a child more in a container, behind all others."""
    flat = "\n" not in text[holder.start : holder.end]
    last = holder.children[-1] if holder.children else None
    if last is None:
        at = holder.start + 1
        return text[:at] + _member(key, rest, value) + text[at:]
    if flat:
        body = f" {_member(key, rest, value)}"
    else:
        line_end = "\r\n" if "\r\n" in text else "\n"
        indent = _indent(text, holder, last)
        lines = _lines(key, rest, value, _unit(text))
        body = "".join(f"{line_end}{indent}{line}" for line in lines)
    behind = last.node.end if last.comma is None else last.comma + 1
    at = _end_of_line(text, behind)
    if last.comma is None:
        return f"{text[:behind]},{text[behind:at]}{body}{text[at:]}"
    return f"{text[:at]}{body},{text[at:]}"


def _member(key: str | int, rest: Path, value: Any) -> str:
    """Return a member or item on one line; what is made around it has blanks inside."""
    written = json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        written = f"[ {written[1:-1]} ]"
    for name in reversed(rest):
        written = f"{{ {json.dumps(name, ensure_ascii=False)}: {written} }}"
    return written if isinstance(key, int) else f"{json.dumps(key, ensure_ascii=False)}: {written}"


def _lines(key: str | int, rest: Path, value: Any, unit: str) -> list[str]:
    for name in reversed(rest):
        value = {name: value}
    written = json.dumps(value, ensure_ascii=False, indent=unit)
    named = (
        written if isinstance(key, int) else f"{json.dumps(key, ensure_ascii=False)}: {written}"
    )
    return named.split("\n")


def _end_of_line(text: str, place: int) -> int:
    """Return where the comments that follow on the same line end."""
    match = _REST_OF_LINE.match(text, place)
    assert match  # it matches nothing at all, too
    return match.end()


def _indent(text: str, holder: Node, last: Child) -> str:
    """Return the blanks before the children of a container."""
    line = _line_before(text, last.start)
    if not line.strip():
        return line
    line = _line_before(text, holder.start)
    return line[: len(line) - len(line.lstrip())] + _unit(text)


def _line_before(text: str, place: int) -> str:
    return text[text.rfind("\n", 0, place) + 1 : place].removeprefix(MARK)


def _unit(text: str) -> str:
    match = _INDENT.search(text)
    return match[1] if match else "  "


def _was_made(text: str, holder: Node) -> bool:
    """Return whether a container was made for the one thing in it, seen from its blanks."""
    if len(holder.children) != 1:
        return False
    child = holder.children[0]
    opening = text[holder.start + 1 : child.start]
    closing = text[child.node.end : holder.end - 1]
    return opening.isspace() and not closing.strip(" \t\r\n,")


def _cut(text: str, holder: Node, child: Child) -> str:
    place = holder.children.index(child)
    before = _BEFORE.search(text, holder.start + 1, child.start)
    assert before  # it matches nothing at all, too
    if child.comma is not None:
        return text[: before.start()] + text[child.comma + 1 :]
    comma = holder.children[place - 1].comma if place else None
    if comma is None:
        return text[: before.start()] + text[child.node.end :]
    return text[:comma] + text[comma + 1 : before.start()] + text[child.node.end :]
