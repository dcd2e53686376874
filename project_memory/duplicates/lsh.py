"""Locality-sensitive hashing: a sketch cut into bands, each a key under which likes meet.

A sketch of 96 values gives 32 bands of 3 rows. Two sets of resemblance s agree on a whole band,
and so become a candidate pair, with probability 1 - (1 - s^3)^32: .986 at .5, .9997 at .6, .03 at
.1 (Leskovec, Rajaraman, Ullman 2014, "Mining of massive datasets", section 3.4).
"""

from __future__ import annotations

import struct
import zlib

from project_memory.duplicates.minhash import SIZE, sketch

ROWS = 3
BANDS = SIZE // ROWS


def bands(text: str) -> tuple[int, ...]:
    """Return the band keys of a text, `BANDS` integers below 2**63; none without a letter."""
    values = sketch(text)
    if values is None:
        return ()
    packed = struct.pack(f"<{SIZE}I", *values)
    width = 4 * ROWS
    return tuple(_key(band, packed[band * width : (band + 1) * width]) for band in range(BANDS))


def _key(band: int, packed: bytes) -> int:
    # the band in front: equal values in two bands mean nothing
    return band << 57 | zlib.crc32(packed) << 25 | zlib.adler32(packed) & 0x1FFFFFF
