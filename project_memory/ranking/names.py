"""Names of memories, and where a text mentions them word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from project_memory.ranking import languages
from project_memory.ranking.tokens import fold

MAX_WORDS = 10
_SUFFIX = re.compile(r"\s*\([^)]*\)\s*$")
_POSSESSIVE = re.compile(r"['’]s\b")
_WORD = re.compile(r"[\w/]+(?:\.\w+)*")
_ALL_STOP_WORDS = frozenset().union(*languages.STOP_WORDS.values())


def words(text: str) -> list[str]:
    """Return the words of a text as names are compared: folded, without punctuation."""
    return _WORD.findall(_POSSESSIVE.sub("", fold(text)))


def canonical(text: str) -> str | None:
    """Return a name in the form in which names are compared, or None where it is none.

    A bracket at its end is no part of it. Too short a name, a stop word, a number or a whole
    sentence names nothing.
    """
    found = words(_SUFFIX.sub("", text))
    name = " ".join(found)
    if not found or len(found) > MAX_WORDS or len(name) < 3:
        return None
    if len(found) == 1 and (name in _ALL_STOP_WORDS or name.isdigit()):
        return None
    return name


def mentioned(text: Iterable[str], known: Mapping[str, set[str]]) -> list[str]:
    """Return the names that occur in the words of a text, longest first at each place.

    Args:
        text: Words as `words` gives them.
        known: First word -> the names that begin with it.
    """
    found: list[str] = []
    sequence, place = list(text), 0
    while place < len(sequence):
        name = _longest(sequence, place, known.get(sequence[place], set()))
        if name is not None:
            found.append(name)
        place += 1 if name is None else name.count(" ") + 1
    return found


def _longest(sequence: list[str], place: int, names: set[str]) -> str | None:
    for length in range(min(MAX_WORDS, len(sequence) - place), 0, -1):
        name = " ".join(sequence[place : place + length])
        if name in names:
            return name
    return None
