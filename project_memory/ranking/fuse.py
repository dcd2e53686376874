"""Turn lexical scores into seeds, and walk and lexical scores into one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SEEDS = 20
SHARPNESS = 7.0
NAME_SHARE = 0.6
TIE = 0.04
"""Weight of the lexical score beside the walk: it orders what the walk does not reach."""

FLOOR_BIAS = 0.2
DIGITS = 9
_BLOCK = 64


def best(scores: NDArray[np.float64], count: int, ties: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the rows of the best positive scores, best first; ties by the number in `ties`."""
    least = reached_by(scores, count)
    rows = np.flatnonzero(scores >= least) if least > 0 else np.flatnonzero(scores > 0)
    order = np.lexsort((ties[rows], -scores[rows]))
    return rows[order][:count]


def reached_by(scores: NDArray[np.float64], count: int) -> float:
    """Return a score that at least `count` scores reach, and few more; -inf if there are fewer.

    The best of as many blocks are as many scores, so that few others reach the least of them.
    """
    if len(scores) <= count:
        return -np.inf
    blocks = scores
    if len(scores) > count * _BLOCK * 2:
        whole = len(scores) // _BLOCK * _BLOCK
        blocks = scores[:whole].reshape(-1, _BLOCK).max(axis=1)
    return float(np.partition(blocks, len(blocks) - count)[len(blocks) - count])


def seeds(
    lexical: NDArray[np.float64], names: NDArray[np.float64], ties: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Return where a walk starts, (n,), summing to 1, or to 0 where nothing matches.

    The best `SEEDS` by lexical score, equal ones by `ties`, weigh (lex / max) ** SHARPNESS;
    memories whose name occurs verbatim in the query get `NAME_SHARE` of the mass, in proportion
    to `names`.
    """
    chosen = best(lexical, SEEDS, ties)
    mass = np.zeros_like(lexical)
    if len(chosen):
        weights = (lexical[chosen] / lexical[chosen[0]]) ** SHARPNESS
        mass[chosen] = weights / weights.sum()
    # summed in the order of the numbers, so that it is the same however rows are laid out
    named = np.flatnonzero(names)
    named = named[np.argsort(ties[named], kind="stable")]
    total = names[named].sum()
    if total <= 0:
        return mass
    share = NAME_SHARE if len(chosen) else 1.0
    mass *= 1 - share
    mass[named] += share * names[named] / total
    return mass


def bias(lexical: NDArray[np.float64], top: float) -> NDArray[np.float64]:
    """Return the weight of steps into memories: FLOOR_BIAS + lex / top, or FLOOR_BIAS at top 0."""
    return FLOOR_BIAS + (lexical / top if top > 0 else np.zeros_like(lexical))


def fused(rank: NDArray[np.float64], lexical: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rank / max + TIE * lex / max, rounded so that machines agree on ties."""
    rounded: NDArray[np.float64] = np.round(scaled(rank) + TIE * scaled(lexical), DIGITS)
    return rounded


def scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values divided by their maximum; zeros where none is positive."""
    top = values.max(initial=0.0)
    out: NDArray[np.float64] = values / top if top > 0 else np.zeros_like(values)
    return out
