"""What an expression selects: set algebra over the bitmaps of a selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeAlias

from pyroaring import BitMap

from project_memory import documents, globs
from project_memory.expression import (
    And,
    Everything,
    FieldTerm,
    LabelTerm,
    Node,
    Not,
    fields,
)
from project_memory.expression.values import DATES, period
from project_memory.index.bitmaps import Carriers, union
from project_memory.index.vocabulary import Vocabulary
from project_memory.model import Document

Texts: TypeAlias = Callable[[BitMap], Iterable[tuple[int, Document]]]
"""Yields (number, document) for memories whose text must be looked at."""

_YEAR, _DAY = len("2026"), len("2026-01-31")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation.

    Attributes:
        carriers: Field -> who carries each of its values.
        vocabulary: The registry.
        today: The day that ages count from.
        texts: Where documents come from, for those whose text is asked for.
    """

    carriers: Mapping[str, Carriers]
    vocabulary: Vocabulary
    today: date
    texts: Texts

    def within(self, node: Node, candidates: BitMap) -> BitMap:  # noqa: PLR0911  # one a kind
        """Return the candidates that an expression selects, as a bitmap of its own.

        Text is read from the store, so it is asked for last and only of memories that the rest
        leaves open. Labels are looked up whatever is left, so that an unknown one is always told.

        Raises:
            UnknownLabel: it names a label that is not registered.
        """
        match node:
            case Everything():
                return BitMap(candidates)
            case LabelTerm():
                return self._labelled(node) & candidates
            case FieldTerm(field="text", value=words):
                return self._holding(words, candidates)
            case FieldTerm():
                return self._fielded(node) & candidates
            case Not(item=item):
                return candidates - self.within(item, candidates)
            case And(items=items):
                return self._all_of(items, candidates)
        return self._any_of(node.items, candidates)

    def _all_of(self, items: Iterable[Node], candidates: BitMap) -> BitMap:
        left = candidates
        for item in sorted(items, key=_reads_text):
            left = self.within(item, left)
        return left

    def _any_of(self, items: Iterable[Node], candidates: BitMap) -> BitMap:
        found = BitMap()
        for item in sorted(items, key=_reads_text):
            found |= self.within(item, candidates - found if _reads_text(item) else candidates)
        return found

    def _labelled(self, term: LabelTerm) -> BitMap:
        carriers = self.carriers["label"]
        return union([carriers.get(name) for name in self.vocabulary.meant(term)])

    def _fielded(self, term: FieldTerm) -> BitMap:
        match term.field:
            case field if field in DATES:
                days = period(term.value, self.today)
                assert days is not None, "checked when it was parsed"
                return self._dated(field, *days)
            case "is":
                return self._flagged(term.value)
            case "file":
                return self._concerning(globs.plain(term.value))
            case "tag" | "id" | "author" if "*" in term.value:
                fits = globs.text_pattern(term.value).fullmatch
                return union([who for v, who in self._live(term.field) if fits(v)])
        return self.carriers[term.field].get(term.value)

    def _concerning(self, path: str) -> BitMap:
        """Return the memories of a path, or of paths that a glob means, or of globs that mean it.

        Two globs meet when either, read as a path, is meant by the other.
        """
        found = [who for g, who in self._live("glob") if globs.path_pattern(g).fullmatch(path)]
        if not globs.is_glob(path):
            return union([*found, self.carriers["file"].get(path)])
        fits = globs.path_pattern(path).fullmatch
        found += [who for field in ("file", "glob") for p, who in self._live(field) if fits(p)]
        return union(found)

    def _flagged(self, flag: str) -> BitMap:
        if flag == "expired":
            return self._dated("expires", date.min, self.today - timedelta(days=1))
        flags = self.carriers["is"]
        if flag == "orphan":
            shared = union([who for _, who in self._live("label") if len(who) > 1])
            return flags.get("any") - flags.get("linked") - shared
        return flags.get(flag)

    def _dated(self, field: str, first: date, last: date) -> BitMap:
        known = self.carriers[field].live()
        years = [value for value in known if len(value) == _YEAR]
        bounds = first.isoformat(), last.isoformat()
        return union([who for year in years for who in _covered(known, year, bounds)])

    def _holding(self, words: str, candidates: BitMap) -> BitMap:
        wanted = documents.fold(words)
        looked_at = self.texts(candidates) if candidates else ()
        return BitMap(n for n, doc in looked_at if wanted in documents.searchable_text(doc))

    def _live(self, field: str) -> Iterable[tuple[str, BitMap]]:
        return self.carriers[field].live().items()


def _reads_text(node: Node) -> bool:
    return "text" in fields(node)


def _covered(known: Mapping[str, BitMap], start: str, bounds: tuple[str, str]) -> Iterator[BitMap]:
    """Yield the largest bitmaps of a year, a month or a day that lie within the bounds."""
    first, last = bounds
    lowest, highest = start + "-01-01"[len(start) - 4 :], start + "-12-31"[len(start) - 4 :]
    if start not in known or highest < first or lowest > last:
        return
    if first <= lowest and highest <= last:
        yield known[start]
    elif len(start) < _DAY:
        for part in range(1, 13 if len(start) == _YEAR else 32):
            yield from _covered(known, f"{start}-{part:02}", bounds)
