"""Read JSON files strictly, and find the line of a JSON path in their text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from project_memory.model import Problem

MAX_FILE = 64 * 1024 * 1024
_MARKER = re.compile(r"^(<{7}|={7}|>{7}|\|{7})( |$)", re.MULTILINE)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_BLANK = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^\s,\]}]+")


_scan = json.decoder.scanstring  # type: ignore[attr-defined]  # (text, start, strict) -> text, end


class _Rejected(ValueError):
    """What strict JSON does not allow; `args` are (code, message, fix)."""


def parse(text: str, file: str) -> tuple[Any, list[Problem]]:
    """Return (the JSON value, problems); the value is None where there is a problem.

    Refused beyond the standard library: NaN and infinities, duplicate keys, merge markers,
    integers of over 4,300 digits, nesting too deep to read.
    """
    marker = _MARKER.search(text)
    if marker:
        line = text.count("\n", 0, marker.start()) + 1
        return None, [
            Problem("merge-marker", "an unresolved merge marker", file=file, line=line,
                    fix="resolve the merge")
        ]  # fmt: skip
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant), []
    except json.JSONDecodeError as error:
        return None, [
            Problem("bad-json", f"not JSON: {error.msg} at column {error.colno}", file=file,
                    line=error.lineno)
        ]  # fmt: skip
    except _Rejected as error:
        code, message, fix = error.args
        return None, [Problem(code, message, file=file, line=_line_of(text, message), fix=fix)]
    except RecursionError:
        return None, [Problem("bad-json", "nested too deep to read", file=file)]
    except ValueError:
        return None, [Problem("bad-json", "a number has too many digits", file=file)]


def load(path: Path, file: str) -> tuple[str, list[Problem]]:
    """Return (text, problems) of a UTF-8 file; a byte order mark is dropped.

    Raises:
        OSError: the file cannot be read.
    """
    if path.stat().st_size > MAX_FILE:
        return "", [Problem("oversize", "the file is larger than 64 MiB", file=file)]
    try:
        return path.read_bytes().decode("utf-8").removeprefix("\ufeff"), []
    except UnicodeDecodeError as error:
        line = path.read_bytes().count(b"\n", 0, error.start) + 1
        return "", [Problem("not-utf8", "the file is not UTF-8", file=file, line=line,
                            fix="save it as UTF-8")]  # fmt: skip


def line_of(text: str, path: str) -> int | None:
    """Return the line, from 1, on which the value at a JSON path begins.

    A path that leads nowhere gives the line of the last value on the way.
    """
    position = 0
    try:
        position = _BLANK.match(text, 0).end()  # type: ignore[union-attr]
        for match in _STEP.finditer(path):
            found = _enter(text, position, match[1], match[2])
            if found is None:
                break
            position = found
    except (IndexError, ValueError):
        return None
    return text.count("\n", 0, position) + 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Rejected("duplicate-key", f"key '{twice}' is given twice", "keep one of the two")
    return found


def _constant(name: str) -> Any:
    raise _Rejected("bad-json", f"{name} is not JSON", "write a number or leave it out")


def _line_of(text: str, message: str) -> int | None:
    key = re.search(r"'(.*)' is given twice", message)
    needle = json.dumps(key[1], ensure_ascii=False) if key else message.split(" ", 1)[0]
    position = text.rfind(needle)
    return text.count("\n", 0, position) + 1 if position >= 0 else None


def _enter(text: str, position: int, key: str | None, index: str | None) -> int | None:
    """Return where a member or item of the value at `position` begins, or None."""
    opening = text[position]
    if (opening == "{") is not (key is not None) or opening not in "{[":
        return None
    position = _skip_blank(text, position + 1)
    count = 0
    while text[position] not in "}]":
        start = position
        if key is not None:
            name, position = _scan(text, position + 1, True)
            position = _skip_blank(text, _skip_blank(text, position) + 1)
            if name == key:
                return start
        elif count == int(index or 0):
            return position
        position = _skip_blank(text, _skip_value(text, position))
        if text[position] == ",":
            position = _skip_blank(text, position + 1)
        count += 1
    return None


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    assert match is not None
    return match.end()


def _skip_value(text: str, position: int) -> int:
    if text[position] == '"':
        return int(_scan(text, position + 1, True)[1])
    if text[position] not in "{[":
        match = _SCALAR.match(text, position)
        return match.end() if match else position + 1
    depth = 0
    while True:
        if text[position] == '"':
            position = int(_scan(text, position + 1, True)[1])
            continue
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(text[position], 0)
        position += 1
        if depth == 0:
            return position
