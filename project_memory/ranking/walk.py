"""Query-biased personalised PageRank over memories and hubs.

Haveliwala 2002, "Topic-sensitive PageRank", for restarting at seeds; Gutiérrez et al. 2024,
"HippoRAG", for its use in retrieval. Departures: steps into a memory are weighted by its lexical
score (eps + lex / max) and renormalised, and the walk stops after a few iterations, so that rank
stays near the seeds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

ALPHA = 0.5
ITERATIONS = 4
LINK_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Steps:
    """Unnormalised step weights of a graph of n memories and h hubs.

    Attributes:
        to_hubs: (n, h), [m, x] is memory m -> hub x.
        to_memories: (h, n), [x, m] is hub x -> memory m.
        links: (n, n), symmetric, [a, b] is an authored link between a and b.
    """

    to_hubs: sparse.csr_array
    to_memories: sparse.csr_array
    links: sparse.csr_array


def walk(
    steps: Steps,
    seeds: NDArray[np.float64],
    bias: NDArray[np.float64],
    *,
    alpha: float = ALPHA,
    iterations: int = ITERATIONS,
) -> NDArray[np.float64]:
    """Return the mass of each memory after the walk, (n,), summing to the sum of the seeds.

    Args:
        steps: The graph.
        seeds: (n,), where the walk restarts, summing to 1.
        bias: (n,), positive; steps into a memory are in proportion to it.
        alpha: Probability of walking on instead of restarting, in [0, 1).
        iterations: Number of steps.
    """
    to_hubs, linked = _normalised(steps.to_hubs), steps.links
    hub_mass = steps.to_memories @ bias
    link_mass = linked @ bias
    has_hubs = np.asarray(steps.to_hubs.sum(axis=1)).ravel() > 0
    has_links = link_mass > 0
    link_share = np.where(has_links, np.where(has_hubs, LINK_SHARE, 1.0), 0.0)
    hub_share = np.where(has_hubs, 1.0 - link_share, 0.0)
    dangling = ~(has_hubs | has_links)
    into, back = to_hubs.T.tocsr(), steps.to_memories.T.tocsr()
    rank = seeds.copy()
    for _ in range(iterations):
        at_hubs = _divided(into @ (rank * hub_share), hub_mass)
        through = (back @ at_hubs) * bias
        along = (linked.T @ _divided(rank * link_share, link_mass)) * bias
        lost = float(rank[dangling].sum())
        rank = (1 - alpha) * seeds + alpha * (through + along + lost * seeds)
    return rank


def _normalised(matrix: sparse.csr_array) -> sparse.csr_array:
    sums = np.asarray(matrix.sum(axis=1), np.float64).ravel()
    return sparse.csr_array(sparse.diags_array(_divided(np.ones(len(sums)), sums)) @ matrix)


def _divided(values: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    out: NDArray[np.float64] = np.divide(values, by, out=np.zeros_like(values), where=by > 0)
    return out
