"""Locality-sensitive hashing: a sketch cut into bands, each a key under which likes meet.

What a store keeps of a sketch is an `Imprint`: its bands, and of each value one byte, by which
those that meet by chance are told from likes without their texts.

A sketch of 96 values gives 32 bands of 3 rows. Two sets of resemblance s agree on a whole band,
and so become a candidate pair, with probability 1 - (1 - s^3)^32: .986 at .5, .9997 at .6, .03 at
.1 (Leskovec, Rajaraman, Ullman 2014, "Mining of massive datasets", section 3.4).
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from project_memory.duplicates.likeness import LEAST
from project_memory.duplicates.minhash import SIZE, sketch

ROWS = 3
BANDS = SIZE // ROWS

_DEVIATIONS = 4

_PACKED = struct.Struct(f"<{SIZE}I")
_WIDTH = 4 * ROWS
_STARTS = range(0, 4 * SIZE, _WIDTH)


class Imprint(NamedTuple):
    """What a text is found by, and told from others by; empty for one without a letter.

    Attributes:
        bands: `BANDS` keys, integers below 2**63.
        signs: The lowest byte of each of the `SIZE` values of its sketch.
    """

    bands: tuple[int, ...] = ()
    signs: bytes = b""


def imprint(text: str) -> Imprint:
    """Return the imprint of a text."""
    values = sketch(text)
    return Imprint() if values is None else imprint_of(values)


def imprint_of(values: Sequence[int]) -> Imprint:
    """Return the imprint of a sketch, `SIZE` integers below 2**32."""
    packed = _PACKED.pack(*values)
    keys = tuple([_key(at // _WIDTH, packed[at : at + _WIDTH]) for at in _STARTS])
    return Imprint(keys, packed[::4])


def least_band(values: Sequence[int]) -> int:
    """Return the least of the bands of a sketch, which is the first: its number is in front."""
    return _key(0, struct.pack(f"<{ROWS}I", *values[:ROWS]))


def may_be_near(one: bytes, other: bytes) -> bool:
    """Return whether two texts of these signs can be near; texts without signs always can.

    Of texts that resemble each other as little as is near, one pair in thirty thousand is missed:
    the estimate would have to err by four standard deviations. A short text has fewer grams than
    a sketch has values, and so no more samples than different signs.
    """
    samples = min(len(set(one)), len(set(other)))
    if not samples:
        return True
    spread = math.sqrt(LEAST * (1 - LEAST) / samples)
    differing = int.from_bytes(one, "little") ^ int.from_bytes(other, "little")
    agreeing = differing.to_bytes(SIZE, "little").count(0)
    return agreeing >= SIZE * (LEAST - _DEVIATIONS * spread)


def _key(band: int, packed: bytes) -> int:
    # the band in front: equal values in two bands mean nothing
    return band << 57 | zlib.crc32(packed) << 25 | zlib.adler32(packed) & 0x1FFFFFF
