"""Find the lessons that fit a question: select, rank, and fit the answer into a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache
from itertools import islice
from typing import Any

from project_memory import signatures
from project_memory.errors import InvalidInput, NotFound
from project_memory.index import BitMap, Index, Ranking, RankRequest, Scored, parted
from project_memory.model import Status
from project_memory.services import browse, disputes, remarks, selecting
from project_memory.services import hits as answered
from project_memory.services.beside import Flags, nothing
from project_memory.services.budget import Budget
from project_memory.services.known import Known
from project_memory.services.store import StoreInfo

MAX_QUERY = 20_000
"""Characters of a query that are read: a log's beginning says what it is about."""

_ANSWERING = (Status.ACTIVE, Status.STALE)


class Order(StrEnum):
    """How answers are ordered."""

    RELEVANCE = "relevance"
    RECENT = "recent"


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked.

    Attributes:
        query: Plain words; empty to be oriented. Only its first 20,000 characters are read.
        related_to: Id of a memory to start from instead of, or beside, the words.
        label_query: Expression, or its structured form, that selects the candidates.
        prefer: Labels that raise a memory without filtering.
        status_filter: Statuses that may answer; None for active and stale.
        order: Relevance, or recent: newest first, without scores.
        limit: At most so many answers, from 1.
        offset: Answers to pass over.
        full_count: So many answers come with their whole document.
        max_tokens: Budget of the whole result, from 100.
        before: Only memories updated on or before this date.
        after: Only memories updated on or after this date.
        floor: Whether answers far below the best are cut.
        explain: Whether each answer says how its score came about.
        all_projects: Whether memories of other projects that reach everywhere answer too.
    """

    query: str = ""
    related_to: str | None = None
    label_query: Any = None
    prefer: tuple[str, ...] = ()
    status_filter: tuple[Status, ...] | None = None
    order: Order = Order.RELEVANCE
    limit: int = 8
    offset: int = 0
    full_count: int = 3
    max_tokens: int = 2000
    before: str | None = None
    after: str | None = None
    floor: bool = True
    explain: bool = False
    all_projects: bool = False


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


def checked_query(**given: Any) -> Query:
    """Return a query from the arguments of a caller; None stands for the default.

    Raises:
        InvalidInput: an argument is unknown, of the wrong kind or out of range.
    """
    named = {name: value for name, value in given.items() if value is not None}
    unknown = sorted(named.keys() - Query.__dataclass_fields__.keys())
    if unknown:
        raise InvalidInput(f"recall has no argument '{unknown[0]}'")
    prefer = named.get("prefer", ())
    named["prefer"] = (prefer,) if isinstance(prefer, str) else prefer
    named |= signatures.read(Query.__annotations__, named)
    named["status_filter"] = selecting.statuses(named.get("status_filter"))
    named["order"] = _order(named.get("order", Order.RELEVANCE))
    named["query"] = named.get("query", "")[:MAX_QUERY]
    query = Query(**named)
    _check(query)
    return query


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
    asked = bool(query.query.strip()) or query.related_to is not None
    ranked = query.order is Order.RELEVANCE
    oriented = ranked and not asked
    standing = [Scored(name) for name in index.standing()] if oriented else []
    candidates, statuses = _candidates(known, index, query, today)
    meant = candidates & index.with_status(statuses)
    untold = candidates - index.keys(scored.id for scored in standing)
    ranking = _ranked(
        index, query, untold, statuses, cache(lambda name: _rivals(name, known, today))
    )
    warnings = ranking.warnings[: query.limit] if query.offset == 0 else ()
    sight = answered.Sight(known, today, Budget(query.max_tokens), flags)
    rules = answered.given(sight, standing, full=len(standing))
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
        standing=tuple(rules),
        omitted=max(0, ranking.total - end),
        omitted_warnings=len(warnings) - len(warned),
        truncated_by=_truncated_by(len(given), len(window), ranking.total - query.offset),
        next_offset=end if given and end < ranking.total else None,
        nothing_relevant=asked and not ranking.total and not ranking.warnings,
        notes=(
            *remarks.of_rules(_left_out(known, standing, rules)),
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
    rivals_of = cache(lambda name: _rivals(name, known, today))
    return [scored.id for scored in _ranked(index, query, candidates, statuses, rivals_of).hits]


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


def _check(query: Query) -> None:
    browse.check_window(query.limit, query.offset)
    if query.full_count < 0:
        raise InvalidInput(f"full_count {query.full_count} is below 0; 0 gives light answers only")
    if query.max_tokens < 100:
        raise InvalidInput(f"max_tokens {query.max_tokens} is below 100; a small answer needs 100")


def _order(text: str) -> Order:
    try:
        return Order(text)
    except ValueError as error:
        raise InvalidInput(f"no order '{text}'; choose one of {', '.join(Order)}") from error


def _candidates(
    known: Known, index: Index, query: Query, today: date
) -> tuple[BitMap, tuple[Status, ...]]:
    """Return (what the filters select, the statuses that may answer)."""
    tree = selecting.tree(query.label_query, before=query.before, after=query.after)
    selected = selecting.select(known, index, tree, today)
    statuses = _statuses(tree, query.status_filter)
    return selected & index.with_status((*statuses, Status.SUPERSEDED)), statuses


def _ranked(
    index: Index,
    query: Query,
    candidates: BitMap,
    statuses: tuple[Status, ...],
    rivals_of: disputes.Rivals,
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
        floor=query.floor,
        need=query.offset + query.limit,
    )
    ranking = _settled(
        index.rank(request, candidates),
        lambda: index.rank(replace(request, need=None), candidates),
        rivals_of,
    )
    if query.explain and (query.query.strip() or query.related_to):
        before, window = ranking.hits[: query.offset], ranking.hits[query.offset :]
        explained = index.explained(request, candidates, window)
        return replace(ranking, hits=(*before, *explained))
    return ranking


def _settled(
    ranking: Ranking, whole: Callable[[], Ranking], rivals_of: disputes.Rivals
) -> Ranking:
    """Return a ranking with each memory that another suppresses directly after that one."""
    names = [scored.id for scored in ranking.hits]
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
