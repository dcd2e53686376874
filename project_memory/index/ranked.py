"""The part of the index that ranks: a corpus, and which memory each of its rows is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from project_memory.index import explain, ranker
from project_memory.index.answers import Explanation
from project_memory.index.corpus import Corpus, build
from project_memory.index.fields import Analysed, analysed
from project_memory.model import Document, Memory


@dataclass(frozen=True, slots=True)
class Ranked:
    """A corpus of unarchived memories in the order of ids.

    Attributes:
        corpus: Its arrays.
        keys: (n,), the memory's key of each row.
        analyses: Key -> (document, analysis), to be used again where a document did not change.
    """

    corpus: Corpus
    keys: NDArray[np.int64]
    analyses: Mapping[int, tuple[Document, Analysed]]

    @classmethod
    def of(cls, memories: Sequence[Memory], known: Ranked | None = None) -> Ranked:
        """Return the corpus of memories that are given in the order of ids."""
        held = known.analyses if known else {}
        analyses = {memory.key: _analysis(memory, held) for memory in memories}
        corpus = build(memories, [analyses[memory.key][1] for memory in memories])
        return cls(corpus, np.array([m.key for m in memories], np.int64), analyses)

    def scores(self, query: str, candidates: BitMap, anchor: int | None) -> dict[str, float]:
        """Return id -> score of every candidate with a positive one."""
        fused = self._scores(query, candidates, anchor).fused
        return {self.corpus.ids[row]: float(fused[row]) for row in np.flatnonzero(fused > 0)}

    def central(self, candidates: BitMap) -> dict[str, float]:
        """Return id -> centrality of every candidate, in (0, 1]."""
        central = ranker.central(self.corpus)
        rows = np.flatnonzero(self._among(candidates))
        return {self.corpus.ids[row]: float(central[row]) for row in rows}

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

    def _scores(self, query: str, candidates: BitMap, anchor: int | None) -> ranker.Scores:
        row = None if anchor is None else _row(self.keys, anchor)
        return ranker.scores(self.corpus, query, self._among(candidates), row)

    def _among(self, candidates: BitMap) -> NDArray[np.bool_]:
        return np.isin(self.keys, np.array(list(candidates), np.int64))


def _analysis(
    memory: Memory, held: Mapping[int, tuple[Document, Analysed]]
) -> tuple[Document, Analysed]:
    found = held.get(memory.key)
    if found is not None and found[0] == memory.document:
        return found
    return memory.document, analysed(memory.document)


def _row(keys: NDArray[np.int64], key: int) -> int | None:
    rows = np.flatnonzero(keys == key)
    return int(rows[0]) if len(rows) else None
