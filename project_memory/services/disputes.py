"""Who contradicts a memory, and who is believed: contradictions are resolved on reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from project_memory import documents, precedence
from project_memory.model import Memory, Status
from project_memory.services.known import Known

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Rival:
    """An active memory that cannot be right together with another.

    Attributes:
        memory: The rival.
        believed: Whether it goes before the other.
        key: Key of the facts in which the two differ, or None where a link says that they do.
    """

    memory: Memory
    believed: bool
    key: str | None = None


Rivals = Callable[[str], Iterable[Rival]]
"""Returns the rivals of the memory of an id."""


def rivals(memory: Memory, known: Known, today: date) -> list[Rival]:
    """Return who contradicts an active memory: those that a link names, then those of its facts.

    A memory that is not active is contradicted by nobody; it has a banner of its own.
    """
    if not _is_active(memory):
        return []
    return [*_linked(memory, known), *_of_facts(memory, known, today)]


def suppressors(memory: Memory, known: Known, today: date) -> tuple[Rival, ...]:
    """Return the rivals that go before a memory, the most credible first, five at most.

    Each stands once; a link says more than a key.
    """
    first: dict[str, Rival] = {}
    for rival in rivals(memory, known, today):
        if rival.believed:
            first.setdefault(rival.memory.id, rival)
    order = precedence.ordered(rival.memory for rival in first.values())
    return tuple(first[each.id] for each in order[:_NAMED])


def said(found: Sequence[Rival]) -> list[str]:
    """Return what a banner says of a memory's suppressors."""
    by_key: dict[str | None, list[str]] = {}
    for rival in found:
        by_key.setdefault(rival.key, []).append(f"'{rival.memory.id}'")
    return [
        f"contradicted{f' on {documents.quotable(key)!r}' if key else ''} by {', '.join(names)}, "
        f"which {'goes' if len(names) == 1 else 'go'} before it: rely on that instead"
        for key, names in by_key.items()
    ]


def arranged(ranked: Sequence[str], rivals_of: Rivals) -> Iterator[str]:
    """Yield ids in their order, but each loser directly after those that go before it.

    A pair stands where the better placed of the two stood. How far the ids are yielded changes
    nothing of those before, so that pages fit together. Where three contradict each other in a
    ring, as facts can, the order of the ring is that of the ids.
    """
    places = {name: place for place, name in enumerate(ranked)}
    done: set[str] = set()
    for name in ranked:
        while name not in done:
            waiting = [_first_of(name, places, rivals_of, done)]
            while waiting:
                here = waiting.pop()
                done.add(here)
                yield here
                freed = [
                    loser
                    for loser in _placed(here, places, rivals_of, believed=False)
                    if loser not in done
                    and done.issuperset(_placed(loser, places, rivals_of, believed=True))
                ]
                waiting.extend(reversed(freed))


def _first_of(name: str, places: Mapping[str, int], rivals_of: Rivals, done: set[str]) -> str:
    """Return whom to tell before this one: where it leads from winner to winner, or itself."""
    path = {name}
    while True:
        before = _placed(name, places, rivals_of, believed=True)
        name_before = next((each for each in before if each not in done | path), None)
        if name_before is None:
            return name
        path.add(name_before)
        name = name_before


def _placed(
    name: str, places: Mapping[str, int], rivals_of: Rivals, *, believed: bool
) -> list[str]:
    found = {r.memory.id for r in rivals_of(name) if r.believed is believed}
    return sorted(found & places.keys(), key=lambda each: places[each])


def _linked(memory: Memory, known: Known) -> Iterator[Rival]:
    for name in documents.targets(memory.document, "contradicts"):
        other = known(name)
        if other is not None and _is_active(other):
            yield Rival(other, precedence.ordered([memory, other])[0] is other)


def _of_facts(memory: Memory, known: Known, today: date) -> Iterator[Rival]:
    for key in dict.fromkeys(key for key, _ in documents.fact_values(memory.document)):
        mine = _best(memory, key, today)
        value = documents.value_digest(mine[1]["fact"])
        for other in known.saying_otherwise(key, value):
            if other.id == memory.id or not _is_active(other):
                continue
            theirs = _best(other, key, today)
            if documents.value_digest(theirs[1]["fact"]) != value:
                first = precedence.of_facts([mine, theirs], today)[0]
                yield Rival(other, first is theirs, key)


def _best(memory: Memory, key: str, today: date) -> precedence.Claim:
    """Return what a memory says under a key, which it has; where it says several, the best."""
    facts = documents.keyed_facts(memory.document)
    claims = [(memory, fact) for fact in facts if documents.fold(fact["key"]) == key]
    return precedence.of_facts(claims, today)[0]


def _is_active(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and not memory.archived
