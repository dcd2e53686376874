"""Rank the rows of a corpus for a query: lexical score, seeds, walk, fusion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from project_memory.index import graph, hubs
from project_memory.index import lexical as text_index
from project_memory.index.corpus import Corpus
from project_memory.index.hub_table import hub_table
from project_memory.index.segment import Tie
from project_memory.ranking import fuse, hashing, names
from project_memory.ranking.tokens import surfaces
from project_memory.ranking.walk import walk

MAX_NAMED_WORDS = 2000
"""Words of a query that are looked through for names."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What ranking found, each (rows,): the fused score, and what it was made of."""

    fused: NDArray[np.float64]
    lexical: NDArray[np.float64]
    rank: NDArray[np.float64]
    seeds: NDArray[np.float64]
    terms: text_index.Terms
    candidates: NDArray[np.bool_]


def scores(
    corpus: Corpus,
    query: str,
    terms: text_index.Terms,
    candidates: NDArray[np.bool_],
    anchor: int | None = None,
) -> Scores:
    """Return the scores of a query; rows that are no candidates neither seed nor answer.

    `terms` are those of the query. With `anchor`, a row, the walk starts there and nowhere else.
    """
    text = text_index.scores(corpus, terms)
    among = np.where(candidates, text, 0.0)
    if anchor is not None:
        seeds = np.zeros(len(corpus))
        seeds[anchor] = 1.0
    else:
        named = np.where(candidates, name_hits(corpus, query), 0.0)
        seeds = fuse.seeds(among, named, corpus.ids)
    rank = _walked(corpus, seeds, text)
    fused = np.zeros(len(corpus))
    found = np.flatnonzero(candidates & ((text > 0) | (rank > 0)))
    fused[found] = fuse.fused(rank[found], text[found])
    return Scores(fused, text, rank, seeds, terms, candidates)


def name_hits(corpus: Corpus, query: str) -> NDArray[np.float64]:
    """Return, (rows,), the idf of the names of each memory that occur verbatim in the query."""
    words = surfaces(query)[:MAX_NAMED_WORDS]
    hits = np.zeros(len(corpus))
    runs = list(hashing.run_numbers(hashing.numbers(words), names.MAX_WORDS)) if words else []
    table = hub_table(corpus)
    hub = table.find(np.concatenate([np.zeros(0, np.uint64), *runs]))
    owned = hub >= 0
    owned[owned] = table.owned[hub[owned]]
    if not owned.any():
        return hits
    starts = np.cumsum([0, *map(len, runs)])
    chosen = names.longest(np.split(owned, starts[1:-1]))
    named = hub[[starts[size - 1] + place for place, size in chosen]]
    told, _ = hubs.members(corpus, hubs.by_number(corpus, named)[0])
    told = told[told.bits & Tie.OWNER > 0]
    weights = np.log1p(corpus.n / table.df[told.hubs]) / table.owners[told.hubs]
    np.add.at(hits, told.rows, weights)
    return hits


def central(corpus: Corpus) -> NDArray[np.float64]:
    """Return the centrality of each row, (rows,): PageRank with restarts everywhere."""
    found = np.zeros(len(corpus))
    if corpus.n:
        rows = np.flatnonzero(corpus.ranked)
        rows = rows[np.argsort(corpus.ids[rows])]
        everywhere = np.full(len(rows), 1 / len(rows))
        rank = walk(
            graph.steps(corpus, rows), everywhere, np.ones(len(rows)), alpha=0.85, iterations=50
        )
        found[rows] = np.round(fuse.scaled(rank), fuse.DIGITS)
    return found


def _walked(
    corpus: Corpus, seeds: NDArray[np.float64], text: NDArray[np.float64]
) -> NDArray[np.float64]:
    rank = np.zeros(len(corpus))
    if seeds.any():
        rows = graph.reached(corpus, seeds)
        bias = fuse.bias(text[rows], float(text.max()))
        rank[rows] = walk(graph.steps(corpus, rows), seeds[rows], bias)
    return rank
