"""Read JSON from a file or standard input, with errors that say where."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

from project_memory.errors import InvalidInput, NotFound


def read_json(path: str) -> Any:
    """Return the JSON value in a file, or on standard input for ``-``.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it cannot be read, is not UTF-8 or not JSON.
    """
    name = "standard input" if path == "-" else path
    return parse_json(_text(path, name), name)


def parse_json(text: str, name: str) -> Any:
    """Return the JSON value in a text; `name` says in errors where it came from.

    Raises:
        InvalidInput: it is not JSON.
    """
    if not text.strip():
        raise InvalidInput(f"'{name}' is empty; a JSON document is expected")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput(
            f"'{name}' is not JSON: {error.msg.lower()} at {place}; correct it there"
        ) from error
    except RecursionError as error:
        raise InvalidInput(f"'{name}' is nested too deeply to be a memory") from error


def read_words(words: tuple[str, ...]) -> str:
    """Return words of the command line as one text; a single ``-`` reads standard input."""
    if words == ("-",):
        return _text("-", "standard input").strip()
    return " ".join(words)


def _text(path: str, name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except FileNotFoundError as error:
        raise NotFound(
            f"no file '{name}'; name an existing one, or - for standard input"
        ) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidInput(f"'{name}' cannot be read: {reason}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"'{name}' is not UTF-8 at byte {error.start}; save it as UTF-8"
        ) from error


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidInput(f"{name} is not JSON; use a number or null")
