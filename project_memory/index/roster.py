"""Which memories there are: their ids, and when each was last updated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from project_memory.index.bitmaps import Layered
from project_memory.model import Memory


class Roster:
    """Ids and times by internal key; changed and copied like a `Selection`."""

    def __init__(
        self,
        entries: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
        keys: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Begin with what a snapshot holds: key -> (id, time), and id -> key."""
        self._entries = Layered(entries)
        self._keys = Layered(keys)

    def put(self, key: int, memory: Memory) -> None:
        """Take in a memory, or what became of it."""
        self.remove(key)
        self._entries.put(key, (memory.id, memory.updated_at))
        self._keys.put(memory.id, key)

    def remove(self, key: int) -> None:
        """Forget a memory; nothing happens where there is none."""
        held = self._entries.get(key)
        if held:
            self._entries.put(key, ())
            if self._keys.get(held[0]) == key:
                self._keys.put(held[0], 0)

    def copy(self) -> Roster:
        """Return a copy; the two may then change apart."""
        twin = Roster()
        twin._entries, twin._keys = self._entries.copy(), self._keys.copy()
        return twin

    def entries(self) -> Mapping[int, tuple[str, ...]]:
        """Return key -> (id, time of the last update), to read before the next change."""
        return self._entries.live()

    def key(self, memory_id: str) -> int | None:
        """Return the key of an id, or None."""
        return self._keys.get(memory_id) or None

    def id(self, key: int) -> str:
        """Return the id of a memory that is there."""
        held = self._entries.get(key)
        assert held
        return held[0]

    def newest(self, keys: Iterable[int]) -> list[str]:
        """Return ids, the last updated first, ties by id."""
        found = sorted((self.id(key), self.updated(key)) for key in keys)
        return [name for name, _ in sorted(found, key=lambda entry: entry[1], reverse=True)]

    def updated(self, key: int) -> str:
        """Return when a memory that is there was last updated."""
        held = self._entries.get(key)
        assert held
        return held[1]
