"""The part of the graph that a walk needs, put together when it is asked for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from project_memory import relations
from project_memory.index import hubs
from project_memory.index.building import KINDS
from project_memory.index.corpus import Corpus
from project_memory.ranking import fuse
from project_memory.ranking.walk import Steps

REACH = 200
"""Most memories that one walk visits."""

LINK_WEIGHTS = np.array([relations.KINDS[kind].weight for kind in KINDS])


def reached(corpus: Corpus, seeds: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the seeds and the rows that the first step gives most mass, by their ids' numbers.

    Args:
        corpus: The corpus.
        seeds: (rows,), where the walk starts.
    """
    if corpus.n <= REACH:
        # an anchor may be archived: the walk starts there all the same
        rows = np.flatnonzero(corpus.ranked | (seeds > 0))
    else:
        chosen = np.flatnonzero(seeds)
        first = _first_step(corpus, chosen[np.argsort(corpus.ids[chosen])], seeds)
        first[chosen] = 0.0
        best = fuse.best(first, REACH - len(chosen), corpus.ids)
        rows = np.concatenate((chosen, best))
    return rows[np.argsort(corpus.ids[rows])]


def steps(corpus: Corpus, rows: NDArray[np.int64]) -> Steps:
    """Return the steps between these rows, in their order.

    Every memory is a hub to itself too, where a share of its mass stays: the last hubs, one a row.
    """
    ascending = np.argsort(rows)
    ties = hubs.shared(corpus, hubs.of_rows(corpus, rows[ascending]))
    out, back = hubs.weights(corpus, ties)
    different, places = np.unique(ties.hubs, return_inverse=True)
    m, h = len(rows), len(different)
    own = np.arange(m)
    memories = np.concatenate((ascending[ties.rows], own))
    order = np.argsort(memories, kind="stable")
    return Steps(
        m,
        h + m,
        memories[order],
        np.concatenate((places, h + own))[order],
        np.concatenate((out, np.full(m, np.log1p(corpus.n))))[order],
        np.concatenate((back, np.full(m, hubs.OWNER_WEIGHT)))[order],
        *_links(corpus, rows, ascending),
    )


def links(corpus: Corpus, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Return (place in `rows`, ascending, linked row, weight), the strongest link of each pair."""
    owners, targets, kinds = corpus.links(rows)
    if not len(owners):
        return owners, owners, LINK_WEIGHTS[:0]
    # links of a row to one target stand together
    first = np.flatnonzero(_differ(owners, targets))
    weights = np.maximum.reduceat(LINK_WEIGHTS[kinds], first)
    found = corpus.rows_with_ids(targets[first])
    held = np.flatnonzero(found >= 0)
    return owners[first][held], found[held], weights[held]


def _differ(owners: NDArray[np.int64], targets: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return whether each pair is another than the one before."""
    new = np.ones(len(owners), np.bool_)
    new[1:] = (owners[1:] != owners[:-1]) | (targets[1:] != targets[:-1])
    return new


def _links(
    corpus: Corpus, rows: NDArray[np.int64], ascending: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return (source, target, weight) of the links between rows, by place in `rows`."""
    ordered = rows[ascending]
    owners, found, weights = links(corpus, ordered)
    places = np.minimum(np.searchsorted(ordered, found), len(ordered) - 1)
    inside = ordered[places] == found
    sources, targets = ascending[owners[inside]], ascending[places[inside]]
    order = np.lexsort((targets, sources))
    return sources[order], targets[order], weights[inside][order]


def _first_step(
    corpus: Corpus, chosen: NDArray[np.int64], seeds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the mass, unnormalised, that one step brings to each row, (rows,)."""
    rows = np.sort(chosen)
    ties = hubs.shared(corpus, hubs.of_rows(corpus, rows))
    out, _ = hubs.weights(corpus, ties)
    mass = seeds[rows]
    order = np.argsort(corpus.ids[rows[ties.rows]], kind="stable")
    different, places = hubs.by_number(corpus, ties.hubs)
    at_hubs = np.bincount(
        places[order], weights=(out * mass[ties.rows])[order], minlength=len(different)
    )
    told, whose = hubs.members(corpus, different)
    _, back = hubs.weights(corpus, told)
    owners, linked, weights = links(corpus, rows)
    order = np.argsort(corpus.ids[rows[owners]], kind="stable")
    brought = np.concatenate((at_hubs[whose] * back, (weights * mass[owners])[order]))
    reached_rows = np.concatenate((told.rows, linked[order]))
    first = np.bincount(reached_rows, weights=brought, minlength=len(corpus))
    return np.round(first, fuse.DIGITS)
