"""MinHash by one permutation: a short sketch of a set from which resemblance can be told.

Every 5-gram falls into one of `SIZE` bins; a bin keeps its least value. The share of bins in
which two sketches agree estimates the Jaccard similarity of the sets (Li, Owen, Zhang 2012, "One
permutation hashing"). Empty bins borrow from others by a fixed sequence that is the same for all
sets (Shrivastava 2017, "Optimal densification for fast and accurate minwise hashing").

This form serves one text at a time and loads in no time; `bulk` makes the same sketches, many at
once. Both give the same numbers on every machine.
"""

from __future__ import annotations

from functools import cache

from project_memory.duplicates.shingles import LENGTH, plain

SIZE = 96

MASK = (1 << 64) - 1
FACTORS = (
    0x9E3779B97F4A7C15,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0xD6E8FEB86659FD93,
    0xFF51AFD7ED558CCD,
)
"""What the code points of a gram are multiplied by; odd, so that none loses a bit."""

MIXER = 0xBF58476D1CE4E5B9


def sketch(text: str) -> tuple[int, ...] | None:
    """Return the sketch of a text's grams, `SIZE` integers below 2**32; None without any gram."""
    spelled = plain(text)
    if not spelled:
        return None
    # descending, so that the least value of a bin is the one that stays
    hashes = sorted({mixed(gram) for gram in _grams(spelled)}, reverse=True)
    least = {(each & 0xFFFFFFFF) % SIZE: each >> 32 for each in hashes}
    return tuple(least[_filled(position, least)] for position in range(SIZE))


def mixed(number: int) -> int:
    """Return a 64-bit number with its bits stirred."""
    number = (number ^ number >> 31) * MIXER & MASK
    return number ^ number >> 32


@cache
def lenders(attempt: int) -> tuple[int, ...]:
    """Return, by bin, the one that it looks into at its n-th attempt, from 1, while empty."""
    return tuple(mixed(at * 0x10001 + attempt * 0x100000001B3) % SIZE for at in range(SIZE))


def _grams(spelled: str) -> list[int]:
    points = [ord(character) for character in spelled.ljust(LENGTH, "\0")]
    a, b, c, d, e = FACTORS
    shifted = (points[start:] for start in range(LENGTH))
    return [
        (v * a + w * b + x * c + y * d + z * e) & MASK
        for v, w, x, y, z in zip(*shifted, strict=False)
    ]


def _filled(position: int, least: dict[int, int]) -> int:
    here, attempt = position, 0
    while here not in least:
        attempt += 1
        here = lenders(attempt)[position]
    return here
