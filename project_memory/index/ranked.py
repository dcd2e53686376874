"""The part of the index that ranks: a corpus, and which memory each of its rows is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from project_memory.index import direct, explain, lexical, ranker
from project_memory.index.answers import STATUS_FACTOR, Explanation
from project_memory.index.corpus import Corpus, build
from project_memory.index.fields import Analysed, analysed
from project_memory.model import Document, Memory, Status
from project_memory.ranking.fuse import DIGITS


@dataclass(frozen=True, slots=True)
class Ranked:
    """A corpus of unarchived memories in the order of ids.

    Attributes:
        corpus: Its arrays.
        keys: (n,), the memory's key of each row.
        rows: Id -> row.
        factors: (n,), what the status of each row multiplies.
        outdated: (n,), whether a row is superseded or wrong.
        analyses: Key -> (document, analysis), to be used again where a document did not change.
    """

    corpus: Corpus
    keys: NDArray[np.int64]
    rows: Mapping[str, int]
    factors: NDArray[np.float64]
    outdated: NDArray[np.bool_]
    analyses: Mapping[int, tuple[Document, Analysed]]

    @classmethod
    def of(cls, memories: Sequence[Memory], known: Ranked | None = None) -> Ranked:
        """Return the corpus of memories that are given in the order of ids."""
        held = known.analyses if known else {}
        analyses = {memory.key: _analysis(memory, held) for memory in memories}
        corpus = build(memories, [analyses[memory.key][1] for memory in memories])
        return cls(
            corpus=corpus,
            keys=np.array([m.key for m in memories], np.int64),
            rows={m.id: row for row, m in enumerate(memories)},
            factors=np.array([STATUS_FACTOR[m.status] for m in memories], np.float64),
            outdated=np.array([_is_outdated(m) for m in memories], np.bool_),
            analyses=analyses,
        )

    def scores(self, query: str, candidates: BitMap, anchor: int | None) -> NDArray[np.float64]:
        """Return the score of each row, (n,); -inf where it is no candidate or does not match."""
        fused = self._scores(query, candidates, anchor).fused
        fused = np.where(fused > 0, fused, -np.inf)
        if anchor is not None:
            fused[self.keys == anchor] = -np.inf
        return fused

    def central(self, candidates: BitMap) -> NDArray[np.float64]:
        """Return the centrality of each row, (n,), in (0, 1]; -inf where it is no candidate."""
        return np.where(self.among(candidates), ranker.central(self.corpus), -np.inf)

    def outdated_among(self, base: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the rows with a score that are superseded or wrong."""
        return np.flatnonzero(self.outdated & np.isfinite(base))

    def finished(
        self,
        base: NDArray[np.float64],
        apart: Iterable[str],
        preferences: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return final scores, (n,), rounded; -inf for the rows of `apart`, settled elsewhere."""
        final = np.round(base * self.factors + preferences, DIGITS)
        final[[self.rows[name] for name in apart]] = -np.inf
        return final

    def among(self, candidates: BitMap) -> NDArray[np.bool_]:
        """Return whether each row's memory is in a set of keys, (n,)."""
        return np.isin(self.keys, np.array(list(candidates), np.int64))

    def explained(
        self, query: str, candidates: BitMap, anchor: int | None, keys: Mapping[str, int]
    ) -> dict[str, Explanation]:
        """Return name -> how the score of the memory of that key came about.

        Status and preference are the caller's.
        """
        scores = self._scores(query, candidates, anchor)
        rows = {name: _row(self.keys, key) for name, key in keys.items()}
        return {
            name: explain.explained(self.corpus, scores, row)
            for name, row in rows.items()
            if row is not None
        }

    def direct(self, query: str, ids: Iterable[str]) -> set[str]:
        """Return those of the ids that the query's rarer words reach. See `direct.matched`."""
        known = [name for name in ids if name in self.rows]
        terms = lexical.query_terms(self.corpus, query)
        reached = direct.matched(self.corpus, terms, [self.rows[name] for name in known])
        return {name for name, is_reached in zip(known, reached, strict=True) if is_reached}

    def _scores(self, query: str, candidates: BitMap, anchor: int | None) -> ranker.Scores:
        row = None if anchor is None else _row(self.keys, anchor)
        return ranker.scores(self.corpus, query, self.among(candidates), row)


def _analysis(
    memory: Memory, held: Mapping[int, tuple[Document, Analysed]]
) -> tuple[Document, Analysed]:
    found = held.get(memory.key)
    if found is not None and found[0] == memory.document:
        return found
    return memory.document, analysed(memory.document)


def _is_outdated(memory: Memory) -> bool:
    return memory.status is Status.SUPERSEDED or memory.own_status is Status.WRONG


def _row(keys: NDArray[np.int64], key: int) -> int | None:
    rows = np.flatnonzero(keys == key)
    return int(rows[0]) if len(rows) else None
