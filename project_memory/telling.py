"""What a caller gave, as an error may repeat it: no secret in it, and not at any length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LONGEST = 1_000
"""Characters of one sentence; a longer one lacks its middle."""
_LOOKED_AT = 20_000  # characters at either end; what lies between is not shown
_END = 300


def told(text: str) -> str:
    """Return a sentence as it may be told; its end, which says what to do, stays."""
    if len(text) > 2 * _LOOKED_AT:
        return _shortened(_redacted(text[:_LOOKED_AT]), _redacted(text[-_LOOKED_AT:]))
    whole = _redacted(text)
    return whole if len(whole) <= LONGEST else _shortened(whole, whole)


def told_lines(text: str) -> str:
    """Return sentences, one a line, as they may be told."""
    return "\n".join(
        line if len(line) <= LONGEST else told(line) for line in _redacted(text).split("\n")
    )


def told_value(value: Any) -> Any:
    """Return JSON data with every string in it as it may be told."""
    if isinstance(value, str):
        return told(value)
    if isinstance(value, Mapping):
        return {told(str(key)): told_value(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [told_value(member) for member in value]
    return value


def holds_secret(text: str) -> bool:
    """Return whether a rule finds a secret in a text."""
    return _redacted(text) != text


def _redacted(text: str) -> str:
    from project_memory import secrets  # noqa: PLC0415  # its patterns load only for an error

    return secrets.redact(text)


def _shortened(beginning: str, end: str) -> str:
    return f"{beginning[: LONGEST - _END]} ... {end[-_END:]}"
