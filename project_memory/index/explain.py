"""Say how one score came about; the parts add up to it."""

from __future__ import annotations

import numpy as np

from project_memory.index import lexical
from project_memory.index.answers import Explanation, TermShare
from project_memory.index.corpus import Channel, Corpus
from project_memory.index.ranker import Scores
from project_memory.ranking import fuse
from project_memory.ranking.walk import Steps

DIGITS = 6
_MAX_STEPS = 4


def explained(corpus: Corpus, scores: Scores, row: int) -> Explanation:
    """Return the parts of one row's fused score; status and preference are the caller's.

    The candidates' maxima scale both parts, as they did when they were fused.
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
        path=_path(corpus, scores, row),
        labels=(),
    )


def _terms(corpus: Corpus, scores: Scores, row: int) -> tuple[TermShare, ...]:
    found = _channel_terms(corpus.stems, scores.terms.stems, row, 1.0, "")
    found += _channel_terms(
        corpus.surfaces, scores.terms.surfaces, row, lexical.SURFACE_WEIGHT, "exact "
    )
    told = sum(share.contribution for share in found)
    rest = scores.lexical[row] - told
    if scores.terms.pairs and rest > 10**-DIGITS:
        found.append(TermShare("neighbouring terms", "nearness", _rounded(rest)))
    return tuple(sorted(found, key=lambda s: (-s.contribution, s.term, s.field)))


def _channel_terms(
    channel: Channel, weights: dict[int, float], row: int, factor: float, prefix: str
) -> list[TermShare]:
    names = {column: term for term, column in channel.terms.items() if column in weights}
    found = []
    for column, weight in weights.items():
        whole = factor * weight * _cell(channel.weights, row, column)
        parts = {f: _cell(matrix, row, column) for f, matrix in channel.parts.items()}
        total = sum(parts.values())
        # the saturation is of the sum; each field has its share of it
        found += [
            TermShare(names[column].partition("|")[2] or names[column], f"{prefix}{field}",
                      _rounded(whole * part / total))
            for field, part in parts.items() if part > 0
        ]  # fmt: skip
    return found


def _cell(matrix: object, row: int, column: int) -> float:
    start, end = matrix.indptr[column], matrix.indptr[column + 1]  # type: ignore[attr-defined]
    place = start + np.searchsorted(matrix.indices[start:end], row)  # type: ignore[attr-defined]
    hit = place < end and matrix.indices[place] == row  # type: ignore[attr-defined]
    return float(matrix.data[place]) if hit else 0.0  # type: ignore[attr-defined]


def _path(corpus: Corpus, scores: Scores, row: int) -> tuple[str, ...]:
    """Return ids and hubs from a seed to the row, each step the one that brought most mass."""
    if scores.rank[row] <= 0 or scores.seeds[row] > 0:
        return ()
    path, here, seen = [corpus.ids[row]], row, {row}
    for _ in range(_MAX_STEPS):
        step = _strongest(corpus.steps, scores, here, seen)
        if step is None:
            return ()
        through, here = step
        seen.add(here)
        path += [corpus.hubs[through], corpus.ids[here]] if through >= 0 else [corpus.ids[here]]
        if scores.seeds[here] > 0:
            return tuple(reversed(path))
    return ()


def _strongest(steps: Steps, scores: Scores, row: int, seen: set[int]) -> tuple[int, int] | None:
    """Return (hub or -1 for a link, row) of the step into `row` with most mass, or None."""
    best: tuple[float, int, int] | None = None
    links = steps.links[[row]]
    for other, weight in zip(links.indices, links.data, strict=True):
        if other not in seen:
            best = max(best or (0.0, 0, 0), (float(weight * scores.rank[other]), -1, int(other)))
    into = steps.to_memories[:, [row]].tocoo()
    for hub, weight in zip(into.row, into.data, strict=True):
        out = steps.to_hubs[:, [int(hub)]].tocoo()
        for other, share in zip(out.row, out.data, strict=True):
            mass = float(weight * share * scores.rank[other])
            if other not in seen and (best is None or mass > best[0]):
                best = (mass, int(hub), int(other))
    return None if best is None or best[0] <= 0 else (best[1], best[2])


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)
