"""Numbers that stand for terms and names: 64 bits, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from project_memory.ranking.numbering import number as number  # noqa: PLC0414  # with its arrays

_BASE = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def numbers(terms: Iterable[str]) -> NDArray[np.uint64]:
    """Return the numbers of terms, in order."""
    return np.array([number(term) for term in terms], np.uint64)


def run_number(words: Sequence[str]) -> int:
    """Return the number of a run of words: that of the word itself where it is one."""
    total, factor = 0, 1
    for word in words:
        total = (total + number(word) * factor) & _MASK
        factor = (factor * _BASE) & _MASK
    return total


def run_numbers(words: NDArray[np.uint64], longest: int) -> Iterator[NDArray[np.uint64]]:
    """Yield, for each length from 1 to `longest`, the numbers of the runs that begin at each word.

    A polynomial hash, Karp and Rabin 1987: the number of a run is the sum of its words' numbers,
    each times a power of one base. The array of length k is k - 1 shorter than `words`.
    """
    total, factor = words.copy(), 1
    yield total
    for length in range(2, min(longest, len(words)) + 1):
        factor = (factor * _BASE) & _MASK
        total = total[:-1] + words[length - 1 :] * np.uint64(factor)
        yield total
