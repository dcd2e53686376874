"""Say how one score came about; the parts add up to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from project_memory.index import graph, hubs, lexical
from project_memory.index.answers import Explanation, TermShare
from project_memory.index.corpus import Corpus
from project_memory.index.hub_table import hub_table
from project_memory.index.impacts import Channel
from project_memory.index.ranker import Scores
from project_memory.ranking import bm25, fuse
from project_memory.ranking.walk import ALPHA

DIGITS = 6
_MAX_STEPS = 4
_FIELDS = ("title", "body", "labels")
_PREFIXES: Mapping[Channel, str] = {"stems": "", "surfaces": "exact "}


def explained(corpus: Corpus, scores: Scores, row: int, name: Callable[[int], str]) -> Explanation:
    """Return the parts of one row's fused score; status and preference are the caller's.

    The candidates' maxima scale both parts, as they did when they were fused. `name` gives the id
    of the memory of a row.
    """
    candidates = scores.candidates
    top_rank = np.where(candidates, scores.rank, 0.0).max(initial=0.0)
    top_text = np.where(candidates, scores.lexical, 0.0).max(initial=0.0)
    return Explanation(
        walk=_rounded(scores.rank[row] / top_rank if top_rank else 0.0),
        lexical=_rounded(fuse.TIE * scores.lexical[row] / top_text if top_text else 0.0),
        status_factor=1.0,
        preference=0.0,
        text_score=_rounded(scores.lexical[row]),
        terms=_terms(corpus, scores, row),
        seed=_rounded(scores.seeds[row]),
        path=_path(corpus, scores, row, name),
        labels=(),
    )


def _terms(corpus: Corpus, scores: Scores, row: int) -> tuple[TermShare, ...]:
    shares = [
        *_channel_shares(corpus, scores, "stems", row),
        *_channel_shares(corpus, scores, "surfaces", row),
    ]
    if scores.lexical[row] > 0:
        context = lexical.context_of(corpus, scores.terms, row)
        rest = scores.lexical[row] - sum(share.contribution for share in shares) - context
        shares += [
            TermShare("linked and mentioning memories", "context", _rounded(context)),
            TermShare("neighbouring terms", "nearness", _rounded(rest)),
        ]
    told = [share for share in shares if share.contribution >= 10**-DIGITS]
    return tuple(sorted(told, key=lambda s: (-s.contribution, s.term, s.field)))


def _channel_shares(
    corpus: Corpus, scores: Scores, channel: Channel, row: int
) -> Iterator[TermShare]:
    for term in lexical.channel_terms(scores.terms, channel):
        parts = lexical.own_parts(corpus, channel, term.number, row)
        total = parts.sum()
        whole = lexical.CHANNELS[channel] * term.weight * float(bm25.saturated(total))
        # the saturation is of the sum; each field has its share of it
        for field, part in zip(_FIELDS, parts, strict=True):
            if part > 0:
                spelling = term.text.partition("|")[2] or term.text
                yield TermShare(
                    spelling, f"{_PREFIXES[channel]}{field}", _rounded(whole * part / total)
                )


def _path(corpus: Corpus, scores: Scores, row: int, name: Callable[[int], str]) -> tuple[str, ...]:
    """Return ids and hubs from a seed to the row, each step the one that brought most mass.

    Empty where most of the mass is of restarts at the row itself.
    """
    restarts = (1 - ALPHA) * scores.seeds[row]
    if scores.rank[row] <= 0 or restarts >= scores.rank[row] / 2:
        return ()
    path, here, seen = [name(row)], row, {row}
    for _ in range(_MAX_STEPS):
        step = _strongest(corpus, scores, here, seen)
        if step is None:
            return ()
        through, here = step
        seen.add(here)
        path += [through, name(here)] if through else [name(here)]
        if scores.seeds[here] > 0:
            return tuple(reversed(path))
    return ()


def _strongest(corpus: Corpus, scores: Scores, row: int, seen: set[int]) -> tuple[str, int] | None:
    """Return (hub, or nothing for a link, and row) of the step into `row` with most mass."""
    best: tuple[float, str, int] | None = None
    for other, weight, through in _steps_into(corpus, row):
        mass = weight * float(scores.rank[other])
        if other not in seen and (best is None or mass > best[0]):
            best = (mass, through, other)
    return None if best is None or best[0] <= 0 else best[1:]


def _steps_into(corpus: Corpus, row: int) -> Iterator[tuple[int, float, str]]:
    """Yield (row, weight of its step here, hub or nothing) for links and shared hubs."""
    rows = np.array([row])
    _, linked, weights = graph.links(corpus, rows)
    yield from ((int(o), float(w), "") for o, w in zip(linked, weights, strict=True))
    own = hubs.shared(corpus, hubs.of_rows(corpus, rows))
    _, into = hubs.weights(corpus, own)
    others, whose = hubs.members(corpus, own.hubs)
    out, _ = hubs.weights(corpus, others)
    numbers = hub_table(corpus).numbers[own.hubs]
    for other, place, share in zip(others.rows, whose, out, strict=True):
        yield int(other), float(share) * float(into[place]), corpus.hub_text(int(numbers[place]))


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)
