"""Patterns with wildcards, compiled so that no pattern and no text make a match slow.

What stands between two wildcards is matched where it first fits and never tried elsewhere (atomic
groups): a later place would only leave less room for the rest. So time grows at most with the
square of the text, not with the power of the number of wildcards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def plain(path: str) -> str:
    """Return a path without a leading ``./`` and a final ``/``."""
    return path.removeprefix("./").rstrip("/")


def is_glob(path: str) -> bool:
    """Return whether a path has wildcards; brackets are none, they occur in real paths."""
    return "*" in path or "?" in path


def literal_start(glob: str) -> str:
    """Return what every path that a glob means begins with: the text before its first wildcard."""
    return re.split(r"[*?]", glob, maxsplit=1)[0]


@lru_cache(maxsize=8192)
def path_pattern(glob: str) -> re.Pattern[str]:
    """Return what matches the paths that a glob means; case counts.

    ``*`` and ``?`` stay within a folder; a part ``**`` is any number of folders, none too, and as
    the last part everything below.
    """
    chunks: list[list[str]] = [[]]
    for part in glob.split("/"):
        if part == "**":
            chunks.append([])
        else:
            chunks[-1].append(_segment(part))
    first, *further = ["/".join(chunk) for chunk in chunks]
    if not further:
        return re.compile(first, re.DOTALL)
    *middle, last = further
    start = f"{first}/" if chunks[0] else ""
    inner = "".join(f"(?>(?:.*?/)??{chunk}/)" for chunk in middle if chunk)
    end = f"(?:.*/)?{last}" if chunks[-1] else ".+"
    end = end.replace("(?:.*/)?[^/]*", ".*", 1)  # means the same, in half the time
    return re.compile(start + inner + end, re.DOTALL)


@lru_cache(maxsize=256)
def text_pattern(text: str) -> re.Pattern[str]:
    """Return what matches a text in which ``*`` stands for anything."""
    return re.compile(_starred(map(re.escape, re.split(r"\*+", text)), "."), re.DOTALL)


def _segment(part: str) -> str:
    pieces = ("[^/]".join(map(re.escape, piece.split("?"))) for piece in re.split(r"\*+", part))
    return _starred(pieces, "[^/]")


def _starred(pieces: Iterable[str], anything: str) -> str:
    """Return pieces with any run of `anything` between them."""
    first, *further = pieces
    if not further:
        return first
    *middle, last = further
    return first + "".join(f"(?>{anything}*?{piece})" for piece in middle) + f"{anything}*{last}"
