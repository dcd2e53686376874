"""Make stored text harmless on a terminal: what acts, turns or hides becomes visible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# DEL, C1, line and paragraph separators, bidi overrides, surrogates
_ACTING = "\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
# What shows nothing and shapes nothing beside it, as joiners and variation selectors do
_HIDDEN = (
    "\u00ad\u115f\u1160\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"
    "\U000e0000-\U000e007f"
)
# C0 without tab and newline; the JSON encoder escapes all of it itself.
_CODES = re.compile(f"[\x00-\x08\x0b-\x1f{_ACTING}{_HIDDEN}]")
_JSON_CODES = re.compile(f"[{_ACTING}{_HIDDEN}]")


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
    return _JSON_CODES.sub(_in_json, encoded)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_json(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
