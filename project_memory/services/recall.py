"""Find the lessons that fit a question: select, rank, and fit the answer into a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial
from itertools import islice
from typing import Any

from project_memory.errors import NotFound
from project_memory.index import BitMap, Index, Ranking, RankRequest, Scored, parted
from project_memory.model import Status
from project_memory.services import disputes, remarks, selecting
from project_memory.services import hits as answered
from project_memory.services.asking import Order, Query
from project_memory.services.beside import Flags, nothing
from project_memory.services.budget import Budget
from project_memory.services.known import Known
from project_memory.services.store import StoreInfo

_ANSWERING = (Status.ACTIVE, Status.STALE)

_Settle = Callable[[Ranking, Callable[[], Ranking]], Ranking]
"""Returns a ranking in the order of who is believed; see `_settled`."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Answers, best first, and what must be known beside them.

    Attributes:
        answers: Current memories, those of `full_count` whole.
        warnings: Wrong memories that match, and outdated ones whose successor was filtered out.
        standing: Standing rules, when nothing was asked; a note names those that did not fit.
        omitted: Answers that exist beyond the ones given.
        omitted_warnings: Warnings that the budget left out.
        truncated_by: limit or max_tokens, whichever ended the list; None when it is complete.
        next_offset: Offset of the next page; None at the end.
        nothing_relevant: Whether something was asked and nothing in the store bears on it.
        notes: What keeps the question from being answered as it was meant.
    """

    answers: tuple[answered.Hit, ...]
    warnings: tuple[answered.Hit, ...]
    standing: tuple[answered.Hit, ...]
    omitted: int
    omitted_warnings: int
    truncated_by: str | None
    next_offset: int | None
    nothing_relevant: bool
    notes: tuple[str, ...]
    store: StoreInfo
    _brought: Mapping[str, bool] | None = None

    @property
    def brought(self) -> Mapping[str, bool] | None:
        """Return id -> whether directly, for what a question brought; None where none was asked.

        To read the newest or the most central memories is to browse. What brings nothing is no
        occasion at which other memories were passed over.
        """
        return self._brought


def recall(
    known: Known,
    index: Index,
    query: Query,
    *,
    info: StoreInfo,
    today: date,
    flags: Flags = nothing,
) -> Recall:
    """Answer a query from an index that is as new as what is known.

    Raises:
        InvalidInput: a number is out of range.
        ExpressionSyntaxError: the label query cannot be parsed.
        UnknownLabel: it, or `prefer`, names a label that is not registered.
        NotFound: `related_to` is no memory.
    """
    if query.related_to is not None:
        query = replace(query, related_to=_anchor(known, index, query.related_to))
    asked = query.is_asked
    ranked = query.order is Order.RELEVANCE
    oriented = ranked and not asked
    rules = index.standing() if oriented and not query.files else ()
    standing = [Scored(name) for name in rules]
    candidates, statuses = _candidates(known, index, query, today)
    meant = candidates & index.with_status(statuses)
    untold = candidates - index.keys(scored.id for scored in standing)
    ranking = _ranked(index, query, untold, statuses, partial(_settled, known, today))
    warnings = ranking.warnings[: query.limit] if query.offset == 0 else ()
    sight = answered.Sight(known, today, Budget(query.max_tokens), flags)
    ruling = answered.given(sight, standing, full=len(standing))
    window = ranking.hits[query.offset : query.offset + query.limit]
    given = answered.given(sight, window, full=query.full_count)
    warned = answered.given(sight, warnings, full=0)
    end = query.offset + len(given)
    told = {hit.id for hit in (*given, *warned) if hit.project is None}
    brought = [scored for scored in (*window, *warnings) if scored.id in told]
    browsed = not asked or not ranked
    return Recall(
        answers=tuple(given),
        warnings=tuple(warned),
        standing=tuple(ruling),
        omitted=max(0, ranking.total - end),
        omitted_warnings=len(warnings) - len(warned),
        truncated_by=_truncated_by(len(given), len(window), ranking.total - query.offset),
        next_offset=end if given and end < ranking.total else None,
        nothing_relevant=(asked or bool(query.files)) and not (ranking.total or ranking.warnings),
        notes=(
            *remarks.of_rules(_left_out(known, standing, ruling)),
            *remarks.of_question(index, query.query, meant, ranked=ranked),
        ),
        store=info,
        _brought=None if browsed else _brought(index, query.query, brought),
    )


def _left_out(known: Known, scored: Sequence[Scored], given: Sequence[answered.Hit]) -> list[str]:
    """Return the ids, in order, of memories that are there and were not given."""
    told = {hit.id for hit in given}
    return [one.id for one in scored if one.id not in told and known(one.id) is not None]


def first_answers(known: Known, index: Index, query: Query, today: date) -> list[str]:
    """Return the ids of the answers to a question, best first, up to its limit; none is read out.

    Raises:
        ExpressionSyntaxError: the label query cannot be parsed.
        UnknownLabel: it names a label that is not registered.
    """
    candidates, statuses = _candidates(known, index, query, today)
    settle = partial(_settled, known, today)
    return [scored.id for scored in _ranked(index, query, candidates, statuses, settle).hits]


def _anchor(known: Known, index: Index, name: str) -> str:
    """Return the id of the memory to start from, which an index may have left behind already."""
    found = known.present(name).id
    if found not in index:
        raise NotFound(f"'{found}' was removed or renamed just now; ask again")
    return found


def _brought(index: Index, words: str, shown: Sequence[Scored]) -> dict[str, bool]:
    own = [scored for scored in shown if parted(scored.id)[0] is None]
    direct = index.direct(words, own) if words.strip() else set()
    return {scored.id: scored.id in direct for scored in own}


def _candidates(
    known: Known, index: Index, query: Query, today: date
) -> tuple[BitMap, tuple[Status, ...]]:
    """Return (what the filters select, the statuses that may answer)."""
    tree = selecting.tree(query.label_query, before=query.before, after=query.after)
    selected = selecting.select(known, index, tree, today)
    if query.files and not (query.is_asked and query.order is Order.RELEVANCE):
        selected &= index.naming(query.files).either
    statuses = _statuses(tree, query.status_filter)
    return selected & index.with_status((*statuses, Status.SUPERSEDED)), statuses


def _ranked(
    index: Index,
    query: Query,
    candidates: BitMap,
    statuses: tuple[Status, ...],
    settle: _Settle,
) -> Ranking:
    """Return answers up to the end of the window."""
    if query.order is Order.RECENT:
        current = candidates & index.with_status([s for s in statuses if s in _ANSWERING])
        newest = tuple(Scored(name) for name in index.newest(current))
        return Ranking(newest, total=len(newest))
    request = RankRequest(
        query=query.query,
        related_to=query.related_to,
        prefer=selecting.preferences(index.registry, query.prefer),
        files=query.files,
        floor=query.floor,
        need=query.offset + query.limit,
    )
    ranking = settle(
        index.rank(request, candidates),
        lambda: index.rank(replace(request, need=None), candidates),
    )
    if query.explain and (query.query.strip() or query.related_to):
        before, window = ranking.hits[: query.offset], ranking.hits[query.offset :]
        explained = index.explained(request, candidates, window)
        return replace(ranking, hits=(*before, *explained))
    return ranking


def _settled(known: Known, today: date, ranking: Ranking, whole: Callable[[], Ranking]) -> Ranking:
    """Return a ranking with each memory that another suppresses directly after that one."""
    names = [scored.id for scored in ranking.hits]
    known.read(names)
    rivals_of = cache(lambda name: _rivals(name, known, today))
    disputed = {rival.memory.id for name in names for rival in rivals_of(name)}
    if not disputed:
        return ranking
    if not disputed <= set(names) and len(names) < ranking.total:
        hits = {scored.id: scored for scored in whole().hits}
    else:
        hits = {scored.id: scored for scored in ranking.hits}
    order = islice(disputes.arranged(list(hits), rivals_of), len(names))
    return replace(ranking, hits=tuple(hits[name] for name in order))


def _rivals(name: str, known: Known, today: date) -> list[disputes.Rival]:
    # what contradicts a memory of another project stands in that project
    memory = known(name)
    return [] if memory is None else disputes.rivals(memory, known, today)


def _statuses(tree: Any, status_filter: tuple[Status, ...] | None) -> tuple[Status, ...]:
    if status_filter is not None:
        return status_filter
    return tuple(Status) if selecting.mentions_status(tree) else (*_ANSWERING, Status.WRONG)


def _truncated_by(given: int, window: int, available: int) -> str | None:
    if given < window:
        return "max_tokens"
    return "limit" if window < available else None
