"""Names of memories, and where a text mentions them word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from project_memory.ranking import languages
from project_memory.ranking.tokens import fold

MAX_WORDS = 10
_SUFFIX = re.compile(r"\s*\([^)]*\)\s*$")
_POSSESSIVE = re.compile(r"['’]s\b")
_WORD = re.compile(r"[\w/]+(?:\.\w+)*")
_ALL_STOP_WORDS = frozenset().union(*languages.STOP_WORDS.values())


def words(text: str) -> list[str]:
    """Return the words of a text as names are compared: folded, without punctuation."""
    folded = fold(text)
    if "'s" in folded or "’s" in folded:
        folded = _POSSESSIVE.sub("", folded)
    # most pieces are one word as they stand
    parts = ((piece,) if piece.isalnum() else _WORD.findall(piece) for piece in folded.split())
    return list(chain.from_iterable(parts))


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


def longest(known: Sequence[NDArray[np.bool_]]) -> list[tuple[int, int]]:
    """Return (first word, number of words) of the runs that are names, longest at each place.

    A run that begins within one that was found is passed over.

    Args:
        known: For each length from 1, whether the run that begins at each word is a name.
    """
    found: list[tuple[int, int]] = []
    place = 0
    while known and place < len(known[0]):
        sizes = [n for n, runs in enumerate(known, 1) if place < len(runs) and runs[place]]
        if sizes:
            found.append((place, sizes[-1]))
        place += sizes[-1] if sizes else 1
    return found
