"""Rank the rows of a corpus for a query: lexical score, seeds, walk, fusion."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from project_memory.index import lexical as text_index
from project_memory.index.corpus import Corpus
from project_memory.ranking import fuse, names
from project_memory.ranking.walk import Steps, walk

REACH = 500
"""Most memories that one walk visits."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What ranking found, each (n,): the fused score, and what it was made of."""

    fused: NDArray[np.float64]
    lexical: NDArray[np.float64]
    rank: NDArray[np.float64]
    seeds: NDArray[np.float64]
    terms: text_index.Terms
    candidates: NDArray[np.bool_]


def scores(
    corpus: Corpus, query: str, candidates: NDArray[np.bool_], anchor: int | None = None
) -> Scores:
    """Return the scores of a query; rows that are no candidates neither seed nor answer.

    With `anchor`, a row, the walk starts there and nowhere else.
    """
    terms = text_index.query_terms(corpus, query)
    text = text_index.scores(corpus, terms)
    among = np.where(candidates, text, 0.0)
    if anchor is not None:
        seeds = np.zeros(len(corpus.ids))
        seeds[anchor] = 1.0
    else:
        seeds = fuse.seeds(among, np.where(candidates, name_hits(corpus, query), 0.0))
    rank = _walked(corpus.steps, seeds, fuse.bias(text))
    fused = fuse.fused(np.where(candidates, rank, 0.0), among)
    return Scores(np.where(candidates, fused, 0.0), text, rank, seeds, terms, candidates)


def name_hits(corpus: Corpus, query: str) -> NDArray[np.float64]:
    """Return, (n,), the idf of the names of each memory that occur verbatim in the query."""
    hits = np.zeros(len(corpus.ids))
    for name in names.mentioned(names.words(query), corpus.openings):
        owners = corpus.owners[name]
        weight = math.log1p(len(corpus.ids) / corpus.name_df[name]) / len(owners)
        hits[list(owners)] += weight
    return hits


def central(corpus: Corpus) -> NDArray[np.float64]:
    """Return the centrality of each memory, (n,): PageRank with restarts everywhere."""
    n = len(corpus.ids)
    if n == 0:
        return np.zeros(0)
    everywhere = np.full(n, 1 / n)
    rank = walk(corpus.steps, everywhere, np.ones(n), alpha=0.85, iterations=50)
    return np.round(fuse.scaled(rank), fuse.DIGITS)


def _walked(
    steps: Steps, seeds: NDArray[np.float64], bias: NDArray[np.float64]
) -> NDArray[np.float64]:
    rank = np.zeros_like(seeds)
    if not seeds.any():
        return rank
    rows = _reached(steps, seeds)
    part = Steps(steps.to_hubs[rows], steps.to_memories[:, rows], steps.links[rows][:, rows])
    rank[rows] = walk(part, seeds[rows], bias[rows])
    return rank


def _reached(steps: Steps, seeds: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the seeds and the rows that the first step gives most mass, in row order."""
    if len(seeds) <= REACH:
        return np.arange(len(seeds))
    first = steps.to_memories.T @ (steps.to_hubs.T @ seeds) + steps.links.T @ seeds
    chosen = np.flatnonzero(seeds)
    others = np.where(seeds > 0, 0.0, first)
    return np.sort(np.concatenate((chosen, fuse.best(others, REACH - len(chosen)))))
