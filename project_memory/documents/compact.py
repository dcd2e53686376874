"""JSON data as compact text, the form in which the store keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import orjson


def compact(value: Any) -> str:
    """Return JSON data as text without white space; mappings of any type keep their own order.

    Lone surrogates stay in it, so that who encodes it can say which.
    """
    try:
        written = orjson.dumps(value, default=_plain)
    except TypeError:  # what it has no room for: lone surrogates, great numbers
        return _ENCODER.encode(value)
    # what is no number is null to it, where the standard encoder says Infinity
    doubtful = b"null" in written and written.count(b"null") > _nothings(value)
    return _ENCODER.encode(value) if doubtful else written.decode()


def size(value: Any) -> int:
    """Return the bytes of a value as compact UTF-8; what is no JSON data counts as its text."""
    try:
        return len(orjson.dumps(value, default=str))
    except TypeError:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
        return len(text.encode())


def _nothings(value: Any) -> int:
    """Return how many members of an object are null, of those at its outermost level."""
    return sum(each is None for each in value.values()) if isinstance(value, dict) else 0


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON data")


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)
