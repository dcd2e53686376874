"""Read JSON files strictly; what is wrong with one is told with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from project_memory import documents
from project_memory.exchange.folder import Folder
from project_memory.model import Problem

MAX_FILE = 64 * 1024 * 1024
"""Size of a file that holds one document, or labels, in bytes; far beyond any real one."""
_MARKER = re.compile(r"^(<{7}|={7}|>{7}|\|{7})( |\r?$)", re.MULTILINE)
_MARKER_SIGNS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|-?Infinity|NaN|\d{4301,}', re.DOTALL)


class _Rejected(ValueError):
    """What strict JSON does not allow, though the standard library reads it."""


def parse(text: str, file: str) -> tuple[Any, list[Problem]]:
    """Return (the JSON value, problems); the value is None where there is a problem.

    Refused beyond the standard library: NaN and infinities, duplicate keys, merge markers,
    integers of over 4,300 digits, nesting too deep to read.
    """
    if problem := _merge_marker(text, file):
        return None, [problem]
    try:
        return _DECODER.decode(text), []
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} at column {error.colno}" if text.strip() else "empty"
        return None, [Problem("bad-json", message, file=file, line=error.lineno)]
    except RecursionError:
        return None, [Problem("too-deep", "nested too deep to be a document", file=file, line=1)]
    except ValueError:
        return None, [next(_rejected(text, file))]


def load(
    folder: Folder, name: str, file: str, *, limit: int = MAX_FILE
) -> tuple[str, list[Problem]]:
    """Return (text, problems) of a UTF-8 file; a byte order mark is dropped.

    What is no regular file, or has more bytes than `limit`, is a problem and is not read: a pipe
    may never be written to, and a device never end.

    Args:
        folder: Where it lies.
        name: Its name there.
        file: Its name as problems give it.
        limit: Bytes.

    Raises:
        OSError: the file cannot be read.
    """
    if not folder.is_file(name):
        return "", [Problem("not-a-file", "no regular file", file=file,
                            fix="save what it gives to a file")]  # fmt: skip
    data = folder.content(name, limit)
    if data is None:
        message = f"the file is larger than {limit // (1024 * 1024):,} MiB"
        return "", [Problem("oversize", message, file=file)]
    try:
        return data.decode("utf-8").removeprefix("\ufeff"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return "", [Problem("not-utf8", "the file is not UTF-8", file=file, line=line,
                            fix="save it as UTF-8")]  # fmt: skip


def _merge_marker(text: str, file: str) -> Problem | None:
    if not any(sign in text for sign in _MARKER_SIGNS):
        return None
    found = _MARKER.search(text)
    if found is None:
        return None
    return Problem("merge-marker", "an unresolved merge marker", file=file,
                   line=_line(text, found.start()), fix="resolve the merge")  # fmt: skip


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Rejected
    return found


def _constant(_: str) -> Any:
    raise _Rejected


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def _rejected(text: str, file: str) -> Iterator[Problem]:
    """Yield what a strict reader minds about JSON that is well formed, in text order."""
    keys: list[set[str] | None] = []
    tokens = list(_TOKEN.finditer(text))
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        shown, line = token[0], _line(text, token.start())
        match shown[0]:
            case "{" | "[":
                keys.append(set() if shown == "{" else None)
            case "}" | "]":
                keys.pop()
            case "-" | "N" | "I":
                yield Problem("bad-json", f"{shown} is not JSON", file=file, line=line,
                              fix="write a number or leave it out")  # fmt: skip
            case '"' if after is not None and after[0] == ":" and keys[-1] is not None:
                name = json.loads(shown)
                if name in keys[-1]:
                    yield Problem(
                        "duplicate-key", f"key '{documents.printable(name)}' is given twice",
                        file=file, line=line, fix="keep one of the two",
                    )  # fmt: skip
                keys[-1].add(name)
            case digit if digit.isdigit():
                yield Problem("bad-json", "a number has over 4,300 digits", file=file, line=line)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
