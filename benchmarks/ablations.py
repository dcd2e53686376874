"""The ranking with one part taken out or replaced, within this process alone.

The product has no switches for this: an ablation puts a stand-in where a function or a table of
`project_memory.ranking` is, and fails if nobody used it, for then it would measure nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from project_memory.ranking import bm25, fuse

Scores = NDArray[np.float64]

GRAPH_WEIGHT = 0.3
RRF_CONSTANT = 60
"""Cormack, Clarke and Büttcher 2009, "Reciprocal Rank Fusion", section 2."""

_seeds = fuse.seeds


@dataclass(frozen=True, slots=True)
class Ablation:
    """What stands in for what.

    Attributes:
        replaced: (module, name) -> stand-in, a function or a mapping.
    """

    replaced: Mapping[tuple[ModuleType, str], Any] = field(default_factory=dict)


@contextmanager
def applied(ablation: Ablation) -> Iterator[None]:
    """Rank with the stand-ins.

    Raises:
        SystemExit: one of them was never used.
    """
    watched = {
        place: _Function(stand_in) if callable(stand_in) else _Table(stand_in)
        for place, stand_in in ablation.replaced.items()
    }
    with ExitStack() as stack:
        for (module, name), each in watched.items():
            stack.enter_context(patch.object(module, name, each))
        yield
    for (module, name), each in watched.items():
        if not each.used:
            raise SystemExit(f"ranking does not use {module.__name__}.{name}: nothing measured")


def without_bias(lexical: Scores, _top: float) -> Scores:
    """See `fuse.bias`; every step weighs the same."""
    return np.ones_like(lexical)


def without_names(lexical: Scores, names: Scores, *ties: NDArray[np.uint64]) -> Scores:
    """See `fuse.seeds`; names in the query seed nothing."""
    return _seeds(lexical, np.zeros_like(names), *ties)


def text_alone(_rank: Scores, lexical: Scores) -> Scores:
    """See `fuse.fused`; the walk counts nothing."""
    return _rounded(fuse.scaled(lexical))


def linear(rank: Scores, lexical: Scores) -> Scores:
    """See `fuse.fused`; the walk is a bonus on the text."""
    return _rounded(fuse.scaled(lexical) + GRAPH_WEIGHT * fuse.scaled(rank))


def reciprocal(rank: Scores, lexical: Scores) -> Scores:
    """See `fuse.fused`; text and walk count by the places that they give."""
    return _rounded(_reciprocal_places(rank) + _reciprocal_places(lexical))


def _reciprocal_places(scores: Scores) -> Scores:
    positive = np.flatnonzero(scores > 0)
    order = positive[np.argsort(-scores[positive], kind="stable")]
    out = np.zeros_like(scores)
    out[order] = 1 / (RRF_CONSTANT + 1 + np.arange(len(order)))
    return out


def _rounded(scores: Scores) -> Scores:
    out: Scores = np.round(scores, fuse.DIGITS)
    return out


class _Function:
    """A function that stands in for another, and whether it was called."""

    def __init__(self, function: Callable[..., Scores]) -> None:
        self._function = function
        self.used = False

    def __call__(self, *arguments: Any) -> Scores:
        self.used = True
        return self._function(*arguments)


class _Table(Mapping[str, Any]):
    """A table that stands in for another, and whether it was read."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self.used = False

    def __getitem__(self, key: str) -> Any:
        self.used = True
        return self._table[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


_FIELDS = {**bm25.FIELDS, "context": bm25.Field(0.0, bm25.FIELDS["context"].b)}
_NO_CONTEXT = {(bm25, "FIELDS"): _FIELDS}


def _fusion(function: Callable[[Scores, Scores], Scores]) -> dict[tuple[ModuleType, str], Any]:
    return {(fuse, "fused"): function}


WHOLE = Ablation()

ABLATIONS: Mapping[str, Ablation] = {
    "lexical only": Ablation({**_NO_CONTEXT, **_fusion(text_alone)}),
    "lexical with context": Ablation(_fusion(text_alone)),
    "no context": Ablation(_NO_CONTEXT),
    "no bias": Ablation({(fuse, "bias"): without_bias}),
    "no name seeds": Ablation({(fuse, "seeds"): without_names}),
    "lexical + .3 graph": Ablation(_fusion(linear)),
    "RRF": Ablation(_fusion(reciprocal)),
}
"""Name -> what is taken out or replaced."""
