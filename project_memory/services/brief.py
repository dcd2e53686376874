"""What to know at the start of work: standing rules, then the most central, latest, pitfalls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from project_memory import fencing
from project_memory.documents import fact_texts, tokens
from project_memory.errors import InvalidInput
from project_memory.index import Index
from project_memory.model import Status
from project_memory.ports import Reader
from project_memory.services import asking, recall
from project_memory.services.hits import Hit
from project_memory.services.known import Known
from project_memory.services.store import StoreInfo

LEAST = 200
"""Tokens that a brief is given at least."""
DEFAULT = 1500
"""Tokens that a brief is given unless the caller says otherwise."""

_EACH = 8
_WHOLE = 10**9
_ENVELOPE = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory in a brief; `text` is one line, without its id."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Brief:
    """What to know at the start of work.

    Attributes:
        standing: Rules that hold whatever is worked on, by id; whole, or their description where
            no more fits.
        standing_left_out: Ids of the rules that did not fit.
        central: The most central of the other memories, best first.
        recent: The latest of those that are not named yet.
        pitfalls: A pitfall of each central memory that has one.
        omitted: How many more current memories there are.
        text: All of it for reading, between markers that stored text cannot close.
        store: Where it is from.
    """

    standing: tuple[Entry, ...]
    standing_left_out: tuple[str, ...]
    central: tuple[Entry, ...]
    recent: tuple[Entry, ...]
    pitfalls: tuple[Entry, ...]
    omitted: int
    text: str
    store: StoreInfo


def brief(
    reader: Reader,
    project: int,
    index: Index,
    *,
    max_tokens: int,
    info: StoreInfo,
    today: date,
) -> Brief:
    """Return what fits into so many tokens; standing rules come first, and all are named.

    Raises:
        InvalidInput: `max_tokens` is below `LEAST`.
    """
    if max_tokens < LEAST:
        raise InvalidInput(f"max_tokens {max_tokens} is below {LEAST}; a brief needs {LEAST}")

    def asked(**query: object) -> recall.Recall:
        wanted = asking.checked_query(
            status_filter=[Status.ACTIVE], max_tokens=_WHOLE, limit=_EACH, **query
        )
        return recall.recall(Known(reader, project), index, wanted, info=info, today=today)

    oriented = asked(full_count=_EACH)
    rules = {hit.id for hit in oriented.standing}
    latest = asked(order="recent", full_count=0).answers
    room = _Room(max_tokens - _ENVELOPE)
    standing, left_out = _standing(oriented.standing, room)
    current = [hit for hit in oriented.answers if hit.banner is None]
    central = _fitting((Entry(hit.id, hit.description) for hit in current), room)
    told = rules | {entry.id for entry in central}
    others = [hit for hit in latest if hit.id not in told and hit.banner is None]
    recent = _fitting((Entry(hit.id, hit.description) for hit in others), room)
    pitfalls = _fitting(_pitfalls(current), room)
    more = len(oriented.answers) + oriented.omitted - len(central) - len(recent)
    found = Brief(standing, left_out, central, recent, pitfalls, max(0, more), "", info)
    return replace(found, text=fencing.fenced_text("\n".join(_lines(found))))


class _Room:
    """Tokens that are left; names of standing rules may overdraw them."""

    def __init__(self, tokens_left: int) -> None:
        self._left = tokens_left

    def spend(self, text: str) -> None:
        self._left -= tokens(text) + 1

    def regain(self, text: str) -> None:
        self._left += tokens(text) + 1

    def take(self, text: str) -> bool:
        cost = tokens(text) + 1
        if cost > self._left:
            return False
        self._left -= cost
        return True


def _standing(hits: Sequence[Hit], room: _Room) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Return the rules that fit, and the ids of the others, for which room is kept first."""
    for hit in hits:
        room.spend(f"{hit.id}, ")
    given: list[Entry] = []
    left_out: list[str] = []
    for hit in hits:
        room.regain(f"{hit.id}, ")
        forms = (Entry(hit.id, _rule(hit)), Entry(hit.id, _one_line(hit.description)))
        fitting = next((form for form in forms if room.take(_line(form))), None)
        if fitting is None:
            room.spend(f"{hit.id}, ")
            left_out.append(hit.id)
        else:
            given.append(fitting)
    return tuple(given), tuple(left_out)


def _fitting(entries: Iterator[Entry], room: _Room) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for entry in entries:
        line = Entry(entry.id, _one_line(entry.text))
        if not room.take(_line(line)):
            break
        found.append(line)
    return tuple(found)


def _pitfalls(hits: Sequence[Hit]) -> Iterator[Entry]:
    for hit in hits:
        pitfalls = hit.memory["pitfalls"] if hit.memory else ()
        if pitfalls:
            yield Entry(hit.id, pitfalls[0])


def _rule(hit: Hit) -> str:
    document = hit.memory or {}
    parts = (
        ("", [hit.description]),
        ("Beware: ", [hit.banner] if hit.banner else []),
        ("Known: ", fact_texts(document)),
        ("Do: ", document.get("solution_pattern", ())),
        ("Avoid: ", document.get("pitfalls", ())),
    )
    said = (f"{name}{'; '.join(texts)}" for name, texts in parts if texts)
    return " | ".join(_one_line(text) for text in said)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _line(entry: Entry) -> str:
    return f"- {entry.id}: {entry.text}"


def _lines(brief: Brief) -> Iterator[str]:
    if brief.standing:
        yield from ("Standing rules:", *map(_line, brief.standing))
    if brief.standing_left_out:
        yield f"Standing rules that did not fit: {', '.join(brief.standing_left_out)}"
    sections = (
        ("Most central:", brief.central),
        ("Latest:", brief.recent),
        ("Pitfalls:", brief.pitfalls),
    )
    for heading, entries in sections:
        if entries:
            yield from (heading, *map(_line, entries))
    if brief.omitted:
        yield f"{brief.omitted} more; recall finds them"
    if not (brief.standing or brief.standing_left_out or brief.central or brief.recent):
        yield "no current memory is stored yet"
