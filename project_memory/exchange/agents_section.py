"""The section of an AGENTS.md that holds lessons, between two markers of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable

BEGIN = "<!-- project-memory: lessons, written by `project-memory export`; edits here are lost -->"
END = "<!-- project-memory: end of lessons -->"
_HEADING = "## Lessons of this project"


def render(parts: Iterable[tuple[str, Iterable[tuple[str, str]]]]) -> str:
    """Return the section with its markers.

    Args:
        parts: (Heading, [(id, what it says)]); a part without entries is left out.
    """
    lines = [BEGIN, _HEADING, ""]
    for heading, entries in parts:
        told = [f"- {_inert(words)} (`{name}`)" for name, words in entries]
        if told:
            lines += [heading, "", *told, ""]
    return "\n".join([*lines, END])


def placed(text: str, section: str) -> str:
    """Return a file with its section in place of the present one, or at the end.

    Raises:
        ValueError: the file has one of the markers without the other, or one twice.
    """
    begins, ends = text.count(BEGIN), text.count(END)
    if begins == ends == 0:
        newline = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        return f"{text}{gap}{section}{newline}"
    start, end = text.find(BEGIN), text.find(END)
    if begins != 1 or ends != 1 or end < start:
        raise ValueError("its markers are not one pair")
    return f"{text[:start]}{section}{text[end + len(END) :]}"


def _inert(words: str) -> str:
    """Return text on one line that cannot be taken for a marker or other comment."""
    return re.sub("<(?=[!/a-zA-Z])", "&lt;", " ".join(words.split()))
