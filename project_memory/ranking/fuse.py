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


def best(scores: NDArray[np.float64], count: int, ties: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the rows of the best positive scores, best first; ties by the number in `ties`."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > count:
        cut = np.partition(scores[positive], len(positive) - count)[len(positive) - count]
        positive = positive[scores[positive] >= cut]
    order = np.lexsort((ties[positive], -scores[positive]))
    return positive[order][:count]


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
