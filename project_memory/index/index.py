"""`Index`: what recall and search ask of one project at one revision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from project_memory import relations
from project_memory.expression import LabelTerm, Node
from project_memory.index import answers
from project_memory.index.answers import Explanation, Ranking, RankRequest, Scored
from project_memory.index.ranked import Ranked
from project_memory.index.selection import Selection
from project_memory.model import Change, Document, Memory, MemoryChange, Registry, Status
from project_memory.ranking.fuse import DIGITS

Texts = Callable[[Iterable[str]], Iterable[tuple[str, Document]]]
"""Yields (id, document) for the memories of these ids."""


class Index:
    """An immutable index; `updated` makes the next one.

    Memories are numbered by their key. Ranking needs arrays that are built when it is first
    asked for, so that a search alone does not pay for them.

    Attributes:
        registry: Labels as of the revision.
        revision: The project's revision that the index holds.
    """

    def __init__(
        self,
        memories: Mapping[int, Memory],
        registry: Registry,
        revision: int,
        known: Ranked | None = None,
    ) -> None:
        self.registry = registry
        self.revision = revision
        self._memories = memories
        self._known = known
        self._keys = {memory.id: key for key, memory in memories.items()}

    @classmethod
    def build(cls, memories: Iterable[Memory], registry: Registry, revision: int) -> Index:
        """Return the index of these memories, archived ones among them."""
        return cls({memory.key: memory for memory in memories}, registry, revision)

    def updated(self, changes: Sequence[Change], registry: Registry, revision: int) -> Index:
        """Return the index after these changes; this one stays as it is."""
        memories = dict(self._memories)
        changed = [change for change in changes if isinstance(change, MemoryChange)]
        for change in changed:
            if change.after is None:
                memories.pop(change.key, None)
            else:
                memories[change.key] = change.after
        newer = Index(memories, registry, revision, known=self._ranked)
        newer._selection = self._reselected({change.key for change in changed}, memories)
        return newer

    def select(self, node: Node, *, today: date, texts: Texts) -> BitMap:
        """Return the keys of the memories that an expression selects.

        Raises:
            UnknownLabel: it names a label that is not registered.
        """

        def by_key(keys: BitMap) -> Iterator[tuple[int, Document]]:
            for name, document in texts([self._memories[key].id for key in keys]):
                yield self._keys[name], document

        return self._selection.evaluate(node, registry=self.registry, today=today, texts=by_key)

    def with_status(self, statuses: Iterable[Status]) -> BitMap:
        """Return the keys of the memories that show one of these statuses."""
        return self._selection.with_status(statuses)

    def ids(self, keys: Iterable[int]) -> list[str]:
        """Return ids, sorted."""
        return sorted(self._memories[key].id for key in keys)

    def keys(self, ids: Iterable[str]) -> BitMap:
        """Return the keys of these ids."""
        return BitMap(self._keys[name] for name in ids)

    def newest(self, keys: Iterable[int]) -> list[str]:
        """Return ids, the last updated first, ties by id."""
        found = sorted((self._memories[key] for key in keys), key=lambda memory: memory.id)
        return [m.id for m in sorted(found, key=lambda memory: memory.updated_at, reverse=True)]

    def standing(self) -> list[str]:
        """Return the ids of active standing rules, sorted."""
        return self.ids(self._selection.standing() & self.with_status([Status.ACTIVE]))

    def label_counts(self) -> dict[str, int]:
        """Return label -> number of unarchived memories that carry it."""
        return self._selection.label_counts()

    def label_totals(self) -> dict[str, int]:
        """Return label -> number of unarchived memories that carry it or a narrower one."""
        return self._selection.label_totals(self.registry)

    def rank(self, request: RankRequest, candidates: BitMap) -> Ranking:
        """Return the best answers and all warnings among the candidates, best first.

        Candidates are selected before anything is scored; statistics are those of all unarchived
        memories.
        """
        asked = bool(request.query.strip()) or request.related_to is not None
        ranked = self._ranked
        base = self._base(request, candidates, asked=asked)
        apart = self._apart(base)
        hits, warnings = answers.settled(
            apart,
            lambda name: self._memories[self._keys[name]],
            lambda memory: relations.current_successors(memory, self._find),
            lambda name: self._keys[name] in candidates,
        )
        finished = [self._finished(hit, request) for hit in hits]
        final = ranked.finished(base, apart, self._preferences(request))
        least = answers.FLOOR * _top(final, finished) if request.floor and asked else 0.0
        final[final < least] = -np.inf
        plain = [Scored(ranked.corpus.ids[row], float(final[row]))
                 for row in _best(final, request.need)]  # fmt: skip
        kept = answers.ordered([*plain, *(hit for hit in finished if hit.score >= least)])
        total = int(np.isfinite(final).sum()) + len(kept) - len(plain)
        warned = answers.ordered(self._finished(hit, request) for hit in warnings)
        return Ranking(kept[: request.need], warned, total)

    def explained(
        self, request: RankRequest, candidates: BitMap, hits: Sequence[Scored]
    ) -> list[Scored]:
        """Return hits of a ranking, each with how its score came about."""
        sources = {hit.id: self._keys[hit.scored_as or hit.id] for hit in hits}
        anchor = self._key(request.related_to)
        told = self._ranked.explained(request.query, candidates, anchor, sources)
        return [self._told(hit, request, told[hit.id]) for hit in hits]

    def direct(self, query: str, hits: Iterable[Scored]) -> set[str]:
        """Return the ids of the hits that the query's rarer words reach by a text of their own.

        A hit that answers for an outdated memory is reached where either is.
        """
        sources = {hit.id: {hit.id, hit.scored_as or hit.id} for hit in hits}
        reached = self._ranked.direct(query, sorted(set().union(*sources.values())))
        return {name for name, either in sources.items() if either & reached}

    def _told(self, hit: Scored, request: RankRequest, told: Explanation) -> Scored:
        memory = self._memories[self._keys[hit.id]]
        preferred = tuple(sorted(set(request.prefer) & set(memory.document["labels"])))
        explanation = replace(
            told,
            status_factor=answers.STATUS_FACTOR[memory.status],
            preference=answers.PREFERENCE * len(preferred),
            labels=preferred,
            scored_as=hit.scored_as,
        )
        return replace(hit, explanation=explanation)

    @cached_property
    def _selection(self) -> Selection:
        selection = Selection()
        for key, memory in self._memories.items():
            selection.add(key, memory)
        return selection

    def _reselected(self, keys: Iterable[int], memories: Mapping[int, Memory]) -> Selection:
        selection = self._selection.copy()
        for key in keys:
            selection.remove(key)
            if key in memories:
                selection.add(key, memories[key])
        return selection

    @cached_property
    def _ranked(self) -> Ranked:
        live = sorted(
            (memory for memory in self._memories.values() if not memory.archived),
            key=lambda memory: memory.id,
        )
        return Ranked.of(live, self._known)

    def _base(
        self, request: RankRequest, candidates: BitMap, *, asked: bool
    ) -> NDArray[np.float64]:
        """Return the score of each row before its status counts; -inf where it is no answer."""
        if not asked:
            return self._ranked.central(candidates)
        return self._ranked.scores(request.query, candidates, self._key(request.related_to))

    def _apart(self, base: NDArray[np.float64]) -> dict[str, float]:
        """Return id -> score of outdated memories that match, and of matching successors."""
        ids, rows = self._ranked.corpus.ids, self._ranked.rows
        apart = {ids[row]: float(base[row]) for row in self._ranked.outdated_among(base)}
        for name in list(apart):
            memory = self._memories[self._keys[name]]
            for heir in relations.current_successors(memory, self._find):
                row = rows.get(heir)
                if row is not None and np.isfinite(base[row]):
                    apart[heir] = float(base[row])
        return apart

    def _preferences(self, request: RankRequest) -> NDArray[np.float64]:
        """Return what preferred labels add to each row."""
        added = np.zeros(len(self._ranked.keys))
        for label in request.prefer:
            term = LabelTerm(label, exact=True)
            carriers = self.select(term, today=date.min, texts=lambda _: ())
            added += answers.PREFERENCE * self._ranked.among(carriers)
        return added

    def _key(self, name: str | None) -> int | None:
        return None if name is None else self._keys[name]

    def _find(self, name: str) -> Memory | None:
        key = self._keys.get(name)
        return None if key is None else self._memories[key]

    def _finished(self, hit: Scored, request: RankRequest) -> Scored:
        memory = self._memories[self._keys[hit.id]]
        status = memory.own_status if memory.status is Status.SUPERSEDED else memory.status
        preferred = set(request.prefer) & set(memory.document["labels"])
        score = hit.score * answers.STATUS_FACTOR[status] + answers.PREFERENCE * len(preferred)
        return replace(hit, score=round(score, DIGITS))


def _top(final: NDArray[np.float64], hits: Sequence[Scored]) -> float:
    return max((float(final.max(initial=-np.inf)), *(hit.score for hit in hits)))


def _best(final: NDArray[np.float64], need: int | None) -> NDArray[np.int64]:
    """Return the rows of the best finite scores, best first; ties by row, which is by id."""
    rows = np.flatnonzero(np.isfinite(final))
    if need is not None and len(rows) > need:
        cut = np.partition(final[rows], len(rows) - need)[len(rows) - need]
        rows = rows[final[rows] >= cut]
    order: NDArray[np.int64] = rows[np.lexsort((rows, -final[rows]))]
    return order
