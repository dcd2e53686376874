"""From scores of documents to answers: outdated ones give way, wrong ones warn."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from project_memory.model import Status
from project_memory.ranking.fuse import DIGITS

STATUS_FACTOR: Mapping[Status, float] = {
    Status.ACTIVE: 1.0,
    Status.STALE: 0.6,
    Status.SUPERSEDED: 1.0,
    Status.WRONG: 0.3,
}
"""What the score of each status is multiplied by; a superseded one hands its score on whole."""

PREFERENCE = 0.1
"""What each preferred label adds."""

NAMED, MEANT = 0.3, 0.15
"""What is added for a file that a memory names, and for one that its folder or glob means."""

FIRST = 1.0
"""What is added for the former where nothing is asked: more than any central memory has."""

FLOOR = 0.01
"""Answers below this share of the best one are cut.

On the development queries this costs at most .1 % of the recall at 8; .02 would cost up to 4 %.
"""


@dataclass(frozen=True, slots=True)
class RankRequest:
    """What is to be ranked.

    Attributes:
        query: Plain words; empty for centrality.
        related_to: Id of the memory where the walk starts, or None.
        prefer: Canonical labels that raise a memory.
        files: Plain paths; who names them is raised.
        floor: Whether answers far below the best are cut.
        need: At most so many answers are wanted; None for all.
    """

    query: str = ""
    related_to: str | None = None
    prefer: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    floor: bool = True
    need: int | None = None


@dataclass(frozen=True, slots=True)
class TermShare:
    """What one query term adds to the lexical score through one field, or through nearness."""

    term: str
    field: str
    contribution: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a score came about: ``score = (walk + lexical) * status_factor + preference``.

    Attributes:
        walk: Mass of the walk here, as a share of the largest.
        lexical: Lexical score as a share of the largest, times its small weight.
        status_factor: What the status multiplies.
        preference: What preferred labels and named files add.
        text_score: The lexical score itself: the sum of the contributions of `terms`.
        terms: Contributions, largest first.
        seed: Share of the walk's restarts that begin here, in [0, 1].
        path: Strongest way from a seed: ids and hubs in turn; empty for a seed.
        labels: Preferred labels that it carries.
        files: Files that were asked for and that it names, or means by a folder or glob.
        scored_as: Id of the superseded memory whose larger score this is, or None.
    """

    walk: float
    lexical: float
    status_factor: float
    preference: float
    text_score: float
    terms: tuple[TermShare, ...]
    seed: float
    path: tuple[str, ...]
    labels: tuple[str, ...]
    files: tuple[str, ...] = ()
    scored_as: str | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """One memory and its score; see `services.hits.Hit` for the other fields."""

    id: str
    score: float = 0.0
    answers_for: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    explanation: Explanation | None = None
    scored_as: str | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Answers and warnings, each best first, ties by id.

    `total` counts the answers there are, also beyond those that were needed.
    """

    hits: tuple[Scored, ...] = ()
    warnings: tuple[Scored, ...] = ()
    total: int = 0


@dataclass(slots=True)
class _Claim:
    """The best score that an answer may take, and the outdated memories it answers for."""

    score: float
    source: str
    answers_for: list[str]


def settled(
    scores: Mapping[str, float],
    statuses: Mapping[str, tuple[Status, Status]],
    ends: Mapping[str, Sequence[str]],
    allowed: Container[str],
) -> tuple[list[Scored], list[Scored]]:
    """Return (answers, warnings) with their base scores, unordered.

    Args:
        scores: Id -> score of each outdated candidate and of each matching successor.
        statuses: Id -> (the status shown, its own), for the same.
        ends: Id -> ids at the live ends of its supersession chain, for the outdated ones.
        allowed: The memories that may answer for another although they were not scored.
    """
    claims: dict[str, _Claim] = {}
    warnings: list[Scored] = []
    for name, score in scores.items():
        shown, own = statuses[name]
        if shown is Status.SUPERSEDED:
            warnings += _handed_on(name, score, ends[name], allowed, claims)
        elif own is Status.WRONG:
            warnings.append(Scored(name, score))
        else:
            _claim(claims, name, score, name)
    answers = [
        Scored(name, c.score, tuple(sorted(c.answers_for)), scored_as=_other(c.source, name))
        for name, c in claims.items()
    ]
    return answers, warnings


def ordered(scored: Iterable[Scored]) -> tuple[Scored, ...]:
    """Return hits best first, scores rounded, ties by id."""
    return tuple(sorted(scored, key=lambda s: (-round(s.score, DIGITS), s.id)))


def _handed_on(
    name: str,
    score: float,
    ends: Sequence[str],
    allowed: Container[str],
    claims: dict[str, _Claim],
) -> list[Scored]:
    heirs = [end for end in ends if end in allowed]
    for heir in heirs:
        _claim(claims, heir, score, name)
        claims[heir].answers_for.append(name)
    return [] if heirs else [Scored(name, score, superseded_by=tuple(ends))]


def _claim(claims: dict[str, _Claim], name: str, score: float, source: str) -> None:
    held = claims.get(name)
    if held is None:
        claims[name] = _Claim(score, source, [])
    elif score > held.score:
        held.score, held.source = score, source


def _other(source: str, name: str) -> str | None:
    return None if source == name else source
