"""The number that stands for a term: 64 bits, the same on every machine."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b


@lru_cache(maxsize=1 << 17)
def number(term: str) -> int:
    """Return the number of a term, in [0, 2 ** 64)."""
    return int.from_bytes(
        blake2b(term.encode("utf-8", "replace"), digest_size=8).digest(), "little"
    )
