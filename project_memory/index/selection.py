"""Bitmaps of what memories carry, and what an expression selects from them.

Memories are numbers here, given by the index. A `Selection` is changed only by its owner, which
must keep readers out meanwhile; everything it returns is a new bitmap.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import TypeAlias

from pyroaring import BitMap

from project_memory import documents, labels
from project_memory.expression import (
    And,
    Everything,
    FieldTerm,
    LabelTerm,
    Node,
    Not,
    Or,
    terms,
)
from project_memory.expression.values import DATES, period
from project_memory.index import globs
from project_memory.model import Document, Memory, Registry, Status

Texts: TypeAlias = Callable[[BitMap], Iterable[tuple[int, Document]]]
"""Yields (number, document) for memories whose text must be looked at."""

Key: TypeAlias = tuple[str, str]
"""(field, value), such as ("status", "active"); labels have the field ``label``."""


class Selection:
    """What each memory carries, as one bitmap of memories a key."""

    def __init__(self) -> None:
        self._carriers: dict[Key, BitMap] = {}
        self._carried: dict[int, tuple[Key, ...]] = {}
        self._values: defaultdict[str, set[str]] = defaultdict(set)
        self._archived = BitMap()
        self._all = BitMap()
        self._linked = BitMap()

    def add(self, ordinal: int, memory: Memory) -> None:
        """Take in a memory under a number that is free."""
        keys = tuple(dict.fromkeys(_keys(memory)))
        self._carried[ordinal] = keys
        for key in keys:
            if key not in self._carriers:
                self._carriers[key] = BitMap()
                self._values[key[0]].add(key[1])
            self._carriers[key].add(ordinal)
        self._all.add(ordinal)
        if memory.archived:
            self._archived.add(ordinal)
        if next(documents.links(memory.document), None) is not None:
            self._linked.add(ordinal)

    def remove(self, ordinal: int) -> None:
        """Forget a memory."""
        for key in self._carried.pop(ordinal):
            carriers = self._carriers[key]
            carriers.discard(ordinal)
            if not carriers:
                del self._carriers[key]
                self._values[key[0]].discard(key[1])
        for bitmap in (self._all, self._archived, self._linked):
            bitmap.discard(ordinal)

    @property
    def unarchived(self) -> BitMap:
        """Return every memory that is in retrieval."""
        return self._all - self._archived

    def with_status(self, statuses: Iterable[Status]) -> BitMap:
        """Return the memories, archived ones too, that show one of these statuses."""
        return self._union(("status", status.value) for status in statuses)

    def standing(self) -> BitMap:
        """Return the standing rules in retrieval."""
        return self._get("is", "standing") - self._archived

    def label_counts(self) -> dict[str, int]:
        """Return label -> number of unarchived memories that carry it."""
        counted = ((name, self._get("label", name)) for name in self._values["label"])
        return {name: len(carriers - self._archived) for name, carriers in counted}

    def evaluate(self, node: Node, *, registry: Registry, today: date, texts: Texts) -> BitMap:
        """Return what an expression selects.

        The universe is the unarchived memories, unless the expression says ``is:archived`` or
        ``is:any``.

        Raises:
            UnknownLabel: it names a label that is not registered.
        """
        universe = self._universe(node)
        return _Evaluation(self, universe, registry, today, texts).of(node)

    def _universe(self, node: Node) -> BitMap:
        asked = {t.value for t in terms(node) if isinstance(t, FieldTerm) and t.field == "is"}
        if "any" in asked:
            return self._all
        return self._all if "archived" in asked else self.unarchived

    def _get(self, field: str, value: str) -> BitMap:
        return self._carriers.get((field, value)) or BitMap()

    def _union(self, keys: Iterable[Key]) -> BitMap:
        found = [self._carriers[key] for key in keys if key in self._carriers]
        return BitMap.union(*found) if found else BitMap()

    def orphans(self) -> BitMap:
        """Return the memories without a link whose every label no other memory carries."""
        shared = [
            self._carriers["label", name]
            for name in self._values["label"]
            if len(self._carriers["label", name]) > 1
        ]
        return self._all - self._linked - (BitMap.union(*shared) if shared else BitMap())

    def values(self, field: str) -> set[str]:
        """Return every value that some memory has in a field."""
        return self._values[field]

    def carriers(self, field: str, values: Iterable[str]) -> BitMap:
        """Return the memories that have one of these values in a field."""
        return self._union((field, value) for value in values)

    @property
    def archived(self) -> BitMap:
        """Return every archived memory."""
        return BitMap(self._archived)


class _Evaluation:
    """One evaluation; every method returns a bitmap within the universe."""

    def __init__(
        self,
        selection: Selection,
        universe: BitMap,
        registry: Registry,
        today: date,
        texts: Texts,
    ) -> None:
        self._selection = selection
        self._universe = universe
        self._registry = registry
        self._today = today
        self._texts = texts

    def of(self, node: Node) -> BitMap:  # noqa: PLR0911  # one a kind of node
        match node:
            case Everything():
                return BitMap(self._universe)
            case LabelTerm():
                return self._labelled(node) & self._universe
            case FieldTerm(field="text", value=value):
                return self._holding(value, self._universe)
            case FieldTerm():
                return self._fielded(node) & self._universe
            case Not(item=item):
                return self._universe - self.of(item)
            case And(items=items):
                return self._all_of(items)
            case Or(items=items):
                return BitMap.union(*(self.of(item) for item in items))

    def _all_of(self, items: Iterable[Node]) -> BitMap:
        # text is looked up in the store, so it looks only at what the other items leave
        costly = [i for i in items if isinstance(i, FieldTerm) and i.field == "text"]
        cheap = [self.of(item) for item in items if item not in costly]
        left = BitMap.intersection(*cheap) if cheap else BitMap(self._universe)
        for item in costly:
            left = self._holding(item.value, left)
        return left

    def _labelled(self, term: LabelTerm) -> BitMap:
        if "*" in term.label:
            pattern = _wildcard(term.label)
            names = {n for n in self._selection.values("label") if pattern.fullmatch(n)}
            return self._selection.carriers("label", names)
        name = labels.resolve(self._registry, term.label)
        names = {name} if term.exact else labels.narrower(self._registry, name)
        return self._selection.carriers("label", names)

    def _fielded(self, term: FieldTerm) -> BitMap:
        if term.field in DATES:
            return self._dated(term)
        if term.field == "is":
            return self._flagged(term.value)
        if term.field == "file":
            files = self._selection.values("file")
            found = [name for name in files if globs.match_each_other(term.value, name)]
            return self._selection.carriers("file", found)
        if "*" in term.value and term.field in {"tag", "id", "author"}:
            pattern = _wildcard(term.value)
            values = self._selection.values(term.field)
            return self._selection.carriers(term.field, filter(pattern.fullmatch, values))
        return self._selection.carriers(term.field, [term.value])

    def _dated(self, term: FieldTerm) -> BitMap:
        span = period(term.value, self._today)
        assert span is not None, "checked when it was parsed"
        first, last = span[0].isoformat(), span[1].isoformat()
        days = self._selection.values(term.field)
        return self._selection.carriers(term.field, (d for d in days if first <= d <= last))

    def _flagged(self, flag: str) -> BitMap:
        match flag:
            case "any":
                return BitMap(self._universe)
            case "archived":
                return self._selection.archived
            case "orphan":
                return self._selection.orphans()
            case "expired":
                today = self._today.isoformat()
                days = self._selection.values("expires")
                return self._selection.carriers("expires", (d for d in days if d < today))
        return self._selection.carriers("is", [flag])

    def _holding(self, words: str, among: BitMap) -> BitMap:
        wanted = documents.fold(words)
        found = (
            ordinal
            for ordinal, document in self._texts(among)
            if wanted in documents.searchable_text(document)
        )
        return BitMap(found)


def _keys(memory: Memory) -> Iterator[Key]:
    """Yield everything that a memory can be selected by, text apart."""
    document = memory.document
    scope, evidence = document["scope"], document["evidence"]
    yield "status", document["status"]
    yield "id", memory.id
    yield "author", memory.author
    yield "asserted", memory.asserted_by.value
    yield "reach", scope.get("reach", "project")
    yield "created", memory.created_at[:10]
    yield "updated", memory.updated_at[:10]
    yield "validated", evidence["last_validated"]
    yield from (("label", label) for label in document["labels"])
    yield from (("tag", tag) for tag in document["tags"])
    yield from (("file", path) for path in scope.get("files", ()))
    yield from (("linked", link.target) for link in documents.links(document))
    yield from (("expires", f["expires"]) for f in _dated_facts(document))
    if "confidence" in evidence:
        yield "confidence", evidence["confidence"]
    if document.get("standing"):
        yield "is", "standing"
    if memory.pinned:
        yield "is", "pinned"


def _dated_facts(document: Document) -> Iterator[dict[str, str]]:
    for fact in document["remembered_facts"]:
        if isinstance(fact, dict) and "expires" in fact:
            yield fact


@lru_cache(maxsize=256)
def _wildcard(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
