"""Locality-sensitive hashing: a sketch cut into bands, each a key under which likes meet.

A sketch of 96 values gives 32 bands of 3 rows. Two sets of resemblance s agree on a whole band,
and so become a candidate pair, with probability 1 - (1 - s^3)^32: .986 at .5, .9997 at .6, .03 at
.1 (Leskovec, Rajaraman, Ullman 2014, "Mining of massive datasets", section 3.4).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable

from project_memory.duplicates.minhash import SIZE, sketch

ROWS = 3
BANDS = SIZE // ROWS

_PACKED = struct.Struct(f"<{SIZE}I")
_WIDTH = 4 * ROWS
_STARTS = range(0, 4 * SIZE, _WIDTH)


def bands(text: str) -> tuple[int, ...]:
    """Return the band keys of a text, `BANDS` integers below 2**63; none without a letter."""
    values = sketch(text)
    if values is None:
        return ()
    return keys(values)


def keys(values: Iterable[int]) -> tuple[int, ...]:
    """Return the band keys of a sketch, `SIZE` integers below 2**32."""
    packed = _PACKED.pack(*values)
    return tuple([_key(at // _WIDTH, packed[at : at + _WIDTH]) for at in _STARTS])


def _key(band: int, packed: bytes) -> int:
    # the band in front: equal values in two bands mean nothing
    return band << 57 | zlib.crc32(packed) << 25 | zlib.adler32(packed) & 0x1FFFFFF
