"""Match paths against globs: ``*`` and ``?`` stay within a folder, ``**`` crosses folders."""

from __future__ import annotations

import re
from functools import lru_cache

_SPECIAL = re.compile(r"\*\*/|\*\*|\*|\?|\[")


def match_each_other(one: str, other: str) -> bool:
    """Return whether one is the other, or either is a glob that matches the other.

    Case counts; a leading ``./`` and a final ``/`` do not. A glob whose last part is ``**``
    matches everything below.
    """
    one, other = _plain(one), _plain(other)
    if one == other:
        return True
    return (is_glob(one) and bool(_compiled(one).fullmatch(other))) or (
        is_glob(other) and bool(_compiled(other).fullmatch(one))
    )


def is_glob(path: str) -> bool:
    """Return whether a path has wildcards."""
    return any(character in path for character in "*?[")


def _plain(path: str) -> str:
    return path.removeprefix("./").rstrip("/")


@lru_cache(maxsize=8192)
def _compiled(glob: str) -> re.Pattern[str]:
    parts: list[str] = []
    position = 0
    for match in _SPECIAL.finditer(glob):
        if match.start() < position:
            continue
        parts.append(re.escape(glob[position : match.start()]))
        translated, position = _wildcard(glob, match)
        parts.append(translated)
    return re.compile("".join(parts) + re.escape(glob[position:]), re.DOTALL)


def _wildcard(glob: str, match: re.Match[str]) -> tuple[str, int]:
    """Return (regular expression, position after it) of one wildcard."""
    match match[0]:
        case "**/":
            return "(?:.*/)?", match.end()
        case "**":
            return ".*", match.end()
        case "*":
            return "[^/]*", match.end()
        case "?":
            return "[^/]", match.end()
    end = glob.find("]", match.end() + 1)
    if end < 0:
        return re.escape("["), match.end()
    inner = glob[match.end() : end].replace("\\", "\\\\")
    negated = inner[:1] in "!^" and len(inner) > 1
    return f"[{'^' if negated else ''}{re.escape(inner[negated:])}]".replace("\\-", "-"), end + 1
