"""The index of one project: what can be selected, and how it ranks."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pyroaring import BitMap

from project_memory import documents, relations
from project_memory.expression import Node
from project_memory.index.selection import Selection
from project_memory.model import Change, Document, Memory, Registry, Status

__all__ = ["Index", "RankRequest", "Ranking", "Scored"]


@dataclass(frozen=True, slots=True)
class RankRequest:
    query: str = ""
    related_to: str | None = None
    prefer: tuple[str, ...] = ()
    floor: bool = True
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Scored:
    id: str
    score: float = 0.0
    answers_for: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    explanation: Any = None


@dataclass(frozen=True, slots=True)
class Ranking:
    hits: tuple[Scored, ...]
    warnings: tuple[Scored, ...] = ()


class Index:
    def __init__(self, memories: Iterable[Memory], registry: Registry, revision: int) -> None:
        self.registry, self.revision = registry, revision
        self._selection = Selection()
        self._memories = sorted(memories, key=lambda m: m.id)
        self._ordinals = {m.id: n for n, m in enumerate(self._memories)}
        self._tokens = []
        for n, memory in enumerate(self._memories):
            self._selection.add(n, memory)
            self._tokens.append(Counter(re.findall(r"\w+", documents.searchable_text(memory.document))))

    @classmethod
    def build(cls, memories, registry, revision):
        return cls(memories, registry, revision)

    def updated(self, changes: Sequence[Change], registry, revision):
        held = {m.id: m for m in self._memories}
        for c in changes:
            if hasattr(c, "key"):
                if c.before is not None:
                    held.pop(c.before.id, None)
                if c.after is not None:
                    held[c.after.id] = c.after
        return Index(held.values(), registry, revision)

    def select(self, node: Node, *, today: date, texts: Callable[[Iterable[str]], Iterable[tuple[str, Document]]]) -> BitMap:
        def lookup(ordinals):
            for name, document in texts([self._memories[o].id for o in ordinals]):
                yield self._ordinals[name], document
        return self._selection.evaluate(node, registry=self.registry, today=today, texts=lookup)

    def with_status(self, statuses):
        return self._selection.with_status(statuses)

    def ids(self, found):
        return sorted(self._memories[o].id for o in found)

    def newest(self, found):
        return [m.id for m in sorted((self._memories[o] for o in found), key=lambda m: (m.updated_at, m.id), reverse=True)]

    def standing(self):
        return self.ids(self._selection.standing() & self._selection.with_status([Status.ACTIVE]))

    def label_counts(self):
        return self._selection.label_counts()

    def rank(self, request: RankRequest, candidates: BitMap) -> Ranking:
        words = re.findall(r"\w+", documents.fold(request.query))
        n = len(self._memories)
        scores: dict[int, float] = {}
        for w in set(words):
            df = sum(1 for t in self._tokens if w in t)
            for o in candidates:
                if w in self._tokens[o]:
                    scores[o] = scores.get(o, 0) + math.log(1 + n / df) * min(1, self._tokens[o][w])
        if not request.query.strip():
            scores = {o: 1.0 for o in candidates}
        find = lambda name: self._memories[self._ordinals[name]] if name in self._ordinals else None
        final: dict[int, float] = {}
        inherited: dict[int, list[str]] = {}
        warnings = []
        for o, s in scores.items():
            m = self._memories[o]
            if m.status is Status.SUPERSEDED:
                ends = relations.current_successors(m, find)
                inside = [self._ordinals[e] for e in ends if self._ordinals[e] in candidates]
                for e in inside:
                    final[e] = max(final.get(e, 0), s)
                    inherited.setdefault(e, []).append(m.id)
                if not inside:
                    warnings.append(Scored(m.id, s, superseded_by=tuple(ends)))
            elif m.status is Status.WRONG:
                warnings.append(Scored(m.id, s * .3))
            else:
                final[o] = max(final.get(o, 0), s * (.6 if m.status is Status.STALE else 1))
        hits = [Scored(self._memories[o].id, round(s, 9), tuple(sorted(inherited.get(o, ())))) for o, s in final.items() if self._memories[o].status in (Status.ACTIVE, Status.STALE)]
        hits.sort(key=lambda h: (-h.score, h.id))
        warnings.sort(key=lambda h: (-h.score, h.id))
        return Ranking(tuple(hits), tuple(warnings))
