"""Find the line of a JSON path in the text of a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()  # passes over a value many times faster than Python could
_scan = json.decoder.scanstring  # type: ignore[attr-defined]  # (text, start) -> string, end


def line_of(text: str, path: str, start: int = 0) -> int | None:
    """Return the line, from 1, on which the value at a JSON path begins.

    A path that leads nowhere gives the line of the last value on the way.

    Args:
        text: JSON.
        path: Such as ``$.labels[0]``.
        start: Where the value stands that ``$`` means.
    """
    try:
        position = find(text, path, start)
    except (IndexError, ValueError):
        return None
    return text.count("\n", 0, position) + 1


def find(text: str, path: str, start: int = 0) -> int:
    """Return where the value at a JSON path begins, or the last one on the way.

    Raises:
        IndexError, ValueError: the text is not JSON.
    """
    position = _skip_blank(text, start)
    for name, index in _STEP.findall(path):
        step = name or int(index)
        found = next((place for key, place in children(text, position) if key == step), None)
        if found is None:
            break
        position = found
    return position


def children(text: str, position: int) -> Iterator[tuple[str | int, int]]:
    """Yield (key or index, where its value begins) of the object or array at a position.

    Anything else has no children.
    """
    opening, index = text[position], 0
    if opening not in "{[":
        return
    position = _skip_blank(text, position + 1)
    while text[position] not in "}]":
        key: str | int = index
        if opening == "{":
            key, position = _scan(text, position + 1)
            position = _skip_blank(text, _skip_blank(text, position) + 1)
        yield key, position
        position = _skip_blank(text, _DECODER.raw_decode(text, position)[1])
        if text[position] == ",":
            position = _skip_blank(text, position + 1)
        index += 1


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    assert match is not None
    return match.end()
