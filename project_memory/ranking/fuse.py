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


def best(scores: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Return the rows of the best positive scores, best first; ties by row."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > count:
        cut = np.partition(scores[positive], len(positive) - count)[len(positive) - count]
        positive = positive[scores[positive] >= cut]
    order = np.lexsort((positive, -scores[positive]))
    return positive[order][:count]


def seeds(lexical: NDArray[np.float64], names: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where a walk starts, (n,), summing to 1, or to 0 where nothing matches.

    The best `SEEDS` by lexical score weigh (lex / max) ** SHARPNESS; memories whose name occurs
    verbatim in the query get `NAME_SHARE` of the mass, in proportion to `names`.
    """
    chosen = best(lexical, SEEDS)
    mass = np.zeros_like(lexical)
    if len(chosen):
        mass[chosen] = (lexical[chosen] / lexical[chosen[0]]) ** SHARPNESS
        mass /= mass.sum()
    total = names.sum()
    if total <= 0:
        return mass
    share = NAME_SHARE if len(chosen) else 1.0
    mixed: NDArray[np.float64] = (1 - share) * mass + share * names / total
    return mixed


def bias(lexical: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight of steps into each memory: FLOOR_BIAS + lex / max."""
    return FLOOR_BIAS + scaled(lexical)


def fused(rank: NDArray[np.float64], lexical: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rank / max + TIE * lex / max, rounded so that machines agree on ties."""
    rounded: NDArray[np.float64] = np.round(scaled(rank) + TIE * scaled(lexical), DIGITS)
    return rounded


def scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values divided by their maximum; zeros where none is positive."""
    top = values.max(initial=0.0)
    out: NDArray[np.float64] = values / top if top > 0 else np.zeros_like(values)
    return out
