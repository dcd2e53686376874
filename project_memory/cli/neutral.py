"""Make stored text harmless on a terminal: control and bidirectional codes become visible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# C0 without tab and newline, DEL, C1, line and paragraph separators, bidi overrides, surrogates
_CODES = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
# The JSON encoder escapes C0 itself.
_JSON_CODES = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def text(value: str) -> str:
    r"""Return text whose control codes are written out, such as ``\x1b``; lines are kept."""
    return _CODES.sub(_written_out, value)


def cell(value: object) -> str:
    """Return a value as one cell of a tab-separated line."""
    if value is None:
        return ""
    return text(str(value)).replace("\t", "\\t").replace("\n", "\\n")


def data(value: Any) -> Any:
    """Return JSON data with every string made harmless, keys too."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return {text(key): data(item) for key, item in value.items()}
    if isinstance(value, list):
        return [data(item) for item in value]
    return value


def json_text(encoded: str) -> str:
    """Return equal JSON without raw codes that a terminal could obey."""
    return _JSON_CODES.sub(lambda match: f"\\u{ord(match[0]):04x}", encoded)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
