"""Read JSON from a file or standard input, with errors that say where."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from project_memory.errors import InvalidInput, NotFound

_LARGEST = 64 * 1024 * 1024
"""Bytes that are read, far more than any draft or list of operations has."""


def read_json(path: str) -> Any:
    """Return the JSON value in a file, or on standard input for ``-``.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it cannot be read, is not UTF-8 or not JSON.
    """
    return parse_json(read_text(path), named(path))


def parse_json(text: str, name: str) -> Any:
    """Return the JSON value in a text; `name` says in errors where it came from.

    Raises:
        InvalidInput: it is not JSON, or an object names a member twice.
    """
    if not text.strip():
        raise InvalidInput(f"{name} is empty; a JSON document is expected")
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput(
            f"{name} is not JSON: {error.msg.lower()} at {place}; correct it there"
        ) from error
    except RecursionError as error:
        raise InvalidInput(f"{name} is nested too deeply; a memory needs few levels") from error
    except ValueError as error:  # Python reads no integer of more than 4,300 digits
        raise InvalidInput(f"{name} holds a number that is too long; shorten it") from error


def read_words(words: tuple[str, ...]) -> str:
    """Return words of the command line as one text; a single ``-`` reads standard input."""
    return read_text("-").strip() if words == ("-",) else " ".join(words)


def read_text(path: str) -> str:
    """Return the text in a file, or on standard input for ``-``.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it cannot be read, has no end in sight, or is not UTF-8.
    """
    try:
        data = _beginning(path)
    except FileNotFoundError as error:
        raise NotFound(
            f"no file {named(path)}; name an existing one, or - for standard input"
        ) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidInput(f"{named(path)} cannot be read: {reason}") from error
    if len(data) > _LARGEST:
        raise InvalidInput(f"{named(path)} holds more than 64 MiB; give what a memory needs")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{named(path)} is not UTF-8 at byte {error.start}; save it as UTF-8"
        ) from error


def named(path: str) -> str:
    """Return how errors call a file, or standard input."""
    return "standard input" if path == "-" else f"'{path}'"


def _beginning(path: str) -> bytes:
    """Return one byte more than may be there, at most: a device need not end."""
    if path == "-":
        return sys.stdin.buffer.read(_LARGEST + 1)
    with Path(path).open("rb") as opened:
        return opened.read(_LARGEST + 1)


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; the last of two equal names would win unnoticed."""
    built: dict[str, Any] = {}
    for name, value in pairs:
        if name in built:
            raise InvalidInput(f"member '{name}' stands twice in one JSON object; keep one")
        built[name] = value
    return built


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidInput(f"'{name}' is not JSON; use a number or null")
