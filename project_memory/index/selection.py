"""Bitmaps of what memories carry, kept current one memory at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from datetime import date
from types import MappingProxyType

from pyroaring import BitMap

from project_memory import labels
from project_memory.expression import FieldTerm, Node, terms
from project_memory.index.attributes import FIELDS, attributes
from project_memory.index.bitmaps import Carriers, Layered, union
from project_memory.index.evaluation import Evaluation, Texts
from project_memory.index.naming import Naming, naming
from project_memory.index.vocabulary import Vocabulary
from project_memory.model import Memory, Registry, Status

__all__ = ["Selection", "Texts"]


class Selection:
    """What each memory carries, as one bitmap of memories for each value of each field.

    Memories are numbers here, given by the index. Everything returned is a bitmap of its own.

    Any number of threads may read a selection that nobody changes. To make the next one, its
    owner takes a `copy`, changes that, and only then shows it to readers: copies share every
    bitmap until one of them changes it, so those who read the old one are not disturbed, and the
    cost is that of the change.
    """

    def __init__(
        self,
        carriers: Mapping[str, Mapping[str, BitMap]] = MappingProxyType({}),
        carried: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        """Begin with what a snapshot holds: field -> value -> who carries it, and the reverse."""
        self._carriers = {field: Carriers(Layered(carriers.get(field, {}))) for field in FIELDS}
        self._carried = Layered(carried)
        self._vocabulary = Vocabulary(Registry())

    def put(self, ordinal: int, memory: Memory) -> None:
        """Take in a memory under its number, or what has changed of it."""
        # one string for all who carry it: a tuple of new ones would outweigh the bitmaps
        names = {sys.intern(f"{field}:{value}") for field, value in attributes(memory)}
        before = set(self._carried.get(ordinal) or ())
        if names == before:
            return
        for name in names - before:
            field, _, value = name.partition(":")
            self._carriers[field].add(value, ordinal)
        self._forget(ordinal, before - names)
        self._carried.put(ordinal, tuple(names))

    def remove(self, ordinal: int) -> None:
        """Forget a memory; nothing happens where there is none."""
        self._forget(ordinal, self._carried.get(ordinal) or ())
        self._carried.put(ordinal, ())

    def _forget(self, ordinal: int, names: Iterable[str]) -> None:
        for name in names:
            field, _, value = name.partition(":")
            self._carriers[field].discard(value, ordinal)

    def copy(self) -> Selection:
        """Return a copy; the two may then change apart."""
        twin = Selection()
        twin._carriers = {field: each.copy() for field, each in self._carriers.items()}
        twin._carried = self._carried.copy()
        twin._vocabulary = self._vocabulary
        return twin

    def carriers(self) -> dict[str, Mapping[str, BitMap]]:
        """Return field -> value -> who carries it, to read before the next change."""
        return {field: each.live() for field, each in self._carriers.items()}

    def carried(self) -> Mapping[int, tuple[str, ...]]:
        """Return what each memory carries, as ``field:value``, to read before the next change."""
        return self._carried.live()

    def evaluate(self, node: Node, *, registry: Registry, today: date, texts: Texts) -> BitMap:
        """Return what an expression selects.

        The universe is the unarchived memories, or all if the expression says ``is:archived`` or
        ``is:any`` anywhere.

        Raises:
            UnknownLabel: it names a label that is not registered.
        """
        vocabulary = self._vocabulary
        if vocabulary.registry is not registry:
            self._vocabulary = vocabulary = Vocabulary(registry)
        evaluation = Evaluation(self._carriers, vocabulary, today, texts)
        everyone = any(
            isinstance(term, FieldTerm)
            and term.field == "is"
            and term.value in {"any", "archived"}
            for term in terms(node)
        )
        universe = self._carriers["is"].get("any") if everyone else self.unarchived
        return evaluation.within(node, universe)

    @property
    def everyone(self) -> BitMap:
        """Return every memory, archived ones too."""
        return BitMap(self._carriers["is"].get("any"))

    @property
    def archived(self) -> BitMap:
        """Return every archived memory."""
        return BitMap(self._carriers["is"].get("archived"))

    @property
    def unarchived(self) -> BitMap:
        """Return every memory that is in retrieval."""
        flags = self._carriers["is"]
        return flags.get("any") - flags.get("archived")

    def with_status(self, statuses: Iterable[Status]) -> BitMap:
        """Return the memories, archived ones too, that show one of these statuses."""
        return union([self._carriers["status"].get(status.value) for status in statuses])

    def standing(self) -> BitMap:
        """Return the standing rules in retrieval."""
        return self._carriers["is"].get("standing") & self.unarchived

    def naming(self, paths: Iterable[str]) -> Naming:
        """Return the memories, archived ones too, that name any of some paths."""
        return naming(self._carriers, paths)

    def label_counts(self) -> dict[str, int]:
        """Return label -> number of unarchived memories that carry it."""
        unarchived = self.unarchived
        carried = self._carriers["label"].live().items()
        return {name: who.intersection_cardinality(unarchived) for name, who in carried}

    def label_totals(self, registry: Registry) -> dict[str, int]:
        """Return label -> number of unarchived memories that carry it or a narrower one."""
        unarchived, carriers = self.unarchived, self._carriers["label"]
        return {
            name: union(
                [carriers.get(each) for each in labels.narrower(registry, name)]
            ).intersection_cardinality(unarchived)
            for name in registry.labels
        }
