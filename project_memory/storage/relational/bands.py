"""The bands of a text as they are kept beside a memory, so that they can be removed.

`text_bands` has no index by memory, which would cost as much as the table itself: what a memory
has there is told by its row of `imprints`, and both change together.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from sys import byteorder


def packed(bands: Iterable[int]) -> bytes:
    """Return bands as eight bytes each."""
    return _little(array("q", bands)).tobytes()


def unpacked(stored: bytes) -> list[int]:
    """Return the bands that `packed` was given."""
    return _little(array("q", stored)).tolist()


def _little(bands: array[int]) -> array[int]:
    """Return bands with their bytes as every machine stores them, or as this one reads them."""
    if byteorder == "big":
        bands.byteswap()
    return bands
