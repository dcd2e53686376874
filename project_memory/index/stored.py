"""Mappings over the arrays of a snapshot: nothing is decoded before it is asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from project_memory.index.segment import Lists

SEPARATOR = "\0"
"""Between strings of one entry; no stored text has it."""

_KEPT = 4096
"""Keys that are remembered."""


def packed(parts: Iterable[bytes]) -> Lists:
    """Return byte strings, one after the other."""
    held = list(parts)
    starts = np.concatenate(([0], np.cumsum([len(each) for each in held]))).astype(np.int64)
    return Lists(starts, np.frombuffer(b"".join(held), np.uint8))


class Packed(Sequence[bytes]):
    """Byte strings out of `packed`."""

    def __init__(self, lists: Lists) -> None:
        self._starts, self._values = lists.starts, lists.values

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, place: Any) -> Any:
        return self._values[self._starts[place] : self._starts[place + 1]].tobytes()

    def find(self, wanted: bytes) -> int:
        """Return the place of a string among ascending ones, or -1."""
        place = bisect_left(self, wanted)
        return place if place < len(self) and self[place] == wanted else -1


class Carried(Mapping[str, BitMap]):
    """Value -> who carries it; a bitmap that was asked for is kept."""

    def __init__(self, values: Lists, bitmaps: Lists) -> None:
        self._values, self._bitmaps = Packed(values), Packed(bitmaps)
        self._kept: dict[str, BitMap] = {}

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[str]:
        return (value.decode() for value in self._values)

    def __getitem__(self, value: str) -> BitMap:
        kept = self._kept.get(value)
        if kept is None:
            place = self._values.find(value.encode())
            if place < 0:
                raise KeyError(value)
            kept = self._kept[value] = BitMap.deserialize(self._bitmaps[place])
        return kept

    def items(self) -> Any:
        """Return pairs of value and bitmap, decoded one by one."""
        return ((value, self[value]) for value in self)


class Entries(Mapping[int, tuple[str, ...]]):
    """Key -> strings."""

    def __init__(self, keys: NDArray[np.int64], texts: Lists) -> None:
        self._keys, self._texts = keys, Packed(texts)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[int]:
        return iter(self._keys.tolist())

    def __getitem__(self, key: int) -> tuple[str, ...]:
        place = int(np.searchsorted(self._keys, key))
        if place == len(self._keys) or self._keys[place] != key:
            raise KeyError(key)
        return tuple(self._texts[place].decode().split(SEPARATOR))


class Keys(Mapping[str, int]):
    """Id -> key; those that were asked for last are kept."""

    def __init__(self, ids: Lists, keys: NDArray[np.int64]) -> None:
        self._ids, self._keys = Packed(ids), keys
        self._kept: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return (name.decode() for name in self._ids)

    def __getitem__(self, name: str) -> int:
        kept = self._kept.get(name)
        if kept is None:
            place = self._ids.find(name.encode())
            if place < 0:
                raise KeyError(name)
            if len(self._kept) >= _KEPT:
                self._kept = {}
            kept = self._kept[name] = int(self._keys[place])
        return kept
