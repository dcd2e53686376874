"""Mappings that are copied in no time and changed without disturbing the copies."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from pyroaring import BitMap

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_FEW, _SHARE = 256, 20


class Layered(Generic[K, V]):
    """A mapping in three layers: what is its own over what copies share over a large base.

    Only the own layer ever changes, so a reader of one copy never sees what happens to another.
    The shared layer is laid into a new base when it has grown beyond a twentieth of it, which
    keeps the cost of a copy, over many, with the changes and not with the size. An empty value
    means that the key is gone.
    """

    def __init__(self, base: Mapping[K, V] = MappingProxyType({})) -> None:
        self._base = base
        self._shared: dict[K, V] = {}
        self._own: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """Return the value of a key, or None."""
        # own before shared before base: `copy` moves values down in the opposite order
        for layer in (self._own, self._shared):
            if key in layer:
                return layer[key]
        return self._base.get(key)

    def put(self, key: K, value: V) -> None:
        """Set the value of a key; an empty one removes it."""
        if value or key in self._shared or key in self._base:
            self._own[key] = value
        else:
            self._own.pop(key, None)

    def owned(self, key: K) -> V | None:
        """Return the value of a key if no copy shares it, or None."""
        return self._own.get(key)

    def live(self) -> Mapping[K, V]:
        """Return everything that is there, as a mapping to read before the next change."""
        # read in the order of `get`: `copy` moves values down in the opposite one
        own, shared = self._own, self._shared
        layers: list[Mapping[K, V]] = [layer for layer in (self._base, shared, own) if layer]
        # an empty value lies only over another layer
        return layers[0] if len(layers) == 1 else _laid(layers)

    def copy(self) -> Layered[K, V]:
        """Return a copy; the two may then change apart."""
        shared = self._shared | self._own if self._own else self._shared
        if not self._base or len(shared) > max(_FEW, len(self._base) // _SHARE):
            self._base, shared = dict(self.live()), {}
        self._shared = shared
        self._own = {}
        twin: Layered[K, V] = Layered(self._base)
        twin._shared = self._shared
        return twin


class Carriers:
    """Value -> bitmap of the memories that carry it; bitmaps given out are never to be changed."""

    def __init__(self, bitmaps: Layered[str, BitMap] | None = None) -> None:
        self._bitmaps: Layered[str, BitMap] = bitmaps or Layered()

    def add(self, value: str, ordinal: int) -> None:
        """Let a memory carry a value."""
        bitmap = self._bitmaps.owned(value)
        if bitmap is None:
            bitmap = BitMap(self.get(value))
            bitmap.add(ordinal)
            self._bitmaps.put(value, bitmap)
        else:
            bitmap.add(ordinal)

    def discard(self, value: str, ordinal: int) -> None:
        """Let a memory carry a value no more."""
        bitmap = self._bitmaps.owned(value) or BitMap(self.get(value))
        bitmap.discard(ordinal)
        self._bitmaps.put(value, bitmap)

    def get(self, value: str) -> BitMap:
        """Return who carries a value."""
        return self._bitmaps.get(value) or BitMap()

    def live(self) -> Mapping[str, BitMap]:
        """Return every value that is carried."""
        return self._bitmaps.live()

    def copy(self) -> Carriers:
        """Return a copy; the two may then change apart."""
        return Carriers(self._bitmaps.copy())


def union(bitmaps: list[BitMap]) -> BitMap:
    """Return what is in any of the bitmaps, as a bitmap of its own."""
    return BitMap.union(*bitmaps) if bitmaps else BitMap()


def _laid(layers: list[Mapping[K, V]]) -> dict[K, V]:
    """Return layers laid over each other, without the keys that an empty value removes."""
    merged: dict[K, V] = {}
    for layer in layers:
        merged |= layer
    return {key: value for key, value in merged.items() if value}
