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

ALPHA = 0.5
ITERATIONS = 4
LINK_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Steps:
    """Unnormalised step weights of a graph of n memories and h hubs, one line an edge.

    Attributes:
        n: Number of memories.
        h: Number of hubs.
        memories: (t,), the memory of each tie between a memory and a hub.
        hubs: (t,), its hub.
        out: (t,), weight of the step from the memory to the hub.
        back: (t,), weight of the step from the hub to the memory.
        sources: (l,), where each link begins; every link is there in both directions.
        targets: (l,), where it ends.
        links: (l,), its weight.
    """

    n: int
    h: int
    memories: NDArray[np.int64]
    hubs: NDArray[np.int64]
    out: NDArray[np.float64]
    back: NDArray[np.float64]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    links: NDArray[np.float64]


def walk(
    steps: Steps,
    seeds: NDArray[np.float64],
    bias: NDArray[np.float64],
    *,
    alpha: float = ALPHA,
    iterations: int = ITERATIONS,
) -> NDArray[np.float64]:
    """Return the mass of each memory after the walk, (n,), summing to the sum of the seeds.

    Sums run over the edges in their order, so that one order gives one result to the last bit.

    Args:
        steps: The graph.
        seeds: (n,), where the walk restarts, summing to 1.
        bias: (n,), positive; steps into a memory are in proportion to it.
        alpha: Probability of walking on instead of restarting, in [0, 1).
        iterations: Number of steps.
    """
    into = _shares(steps.out, steps.memories, steps.n)
    back = _shares(steps.back * bias[steps.memories], steps.hubs, steps.h)
    along = _shares(steps.links * bias[steps.targets], steps.sources, steps.n)
    has_hubs, has_links = np.zeros(steps.n, np.bool_), np.zeros(steps.n, np.bool_)
    has_hubs[steps.memories], has_links[steps.sources] = True, True
    link_share = np.where(has_links, np.where(has_hubs, LINK_SHARE, 1.0), 0.0)
    into *= np.where(has_hubs, 1.0 - link_share, 0.0)[steps.memories]
    along *= link_share[steps.sources]
    dangling = ~(has_hubs | has_links)
    rank = seeds.copy()
    for _ in range(iterations):
        at_hubs = np.bincount(steps.hubs, into * rank[steps.memories], steps.h)
        through = np.bincount(steps.memories, back * at_hubs[steps.hubs], steps.n)
        linked = np.bincount(steps.targets, along * rank[steps.sources], steps.n)
        lost = float(rank[dangling].sum())
        rank = (1 - alpha) * seeds + alpha * (through + linked + lost * seeds)
    return rank


def _shares(
    weights: NDArray[np.float64], sources: NDArray[np.int64], count: int
) -> NDArray[np.float64]:
    """Return each weight as a share of all those with its source."""
    shares: NDArray[np.float64] = weights / np.bincount(sources, weights, count)[sources]
    return shares
