"""Propose expectations from what the memories say of themselves: their triggers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from project_memory import documents, secrets, validation
from project_memory.errors import InvalidInput
from project_memory.index import Index
from project_memory.model import Expectation, Memory, Receipt, Status, as_json
from project_memory.ports import Reader
from project_memory.services.expected import outcome
from project_memory.services.expecting import MOST, WITHIN, Listed, as_listed, check_within
from project_memory.services.known import Known


@dataclass(frozen=True, slots=True)
class Unfound:
    """A trigger that does not find its own memory, so that nothing is expected of it."""

    query: str
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What can be expected, and what was not taken."""

    expected: tuple[Expectation, ...]
    unfound: tuple[Unfound, ...]
    left: int

    @property
    def operations(self) -> list[dict[str, Any]]:
        """Return the operations that add it."""
        return [{"op": "expect", **as_json(each)} for each in self.expected]


@dataclass(frozen=True, slots=True)
class Seeds:
    """What was expected from triggers.

    Attributes:
        expected: What is expected of triggers, or would be by a dry run.
        unfound: Triggers that do not find their own memory; nothing is expected of them.
        left: Triggers that were not looked at, because the limit was reached.
        receipt: The transaction.
    """

    expected: tuple[Listed, ...]
    unfound: tuple[Unfound, ...]
    left: int
    receipt: Receipt


def seeds(
    reader: Reader,
    project: int,
    index: Index,
    memory_ids: Iterable[str],
    today: date,
    *,
    within: int | None,
    limit: int,
) -> Found:
    """Return what can be expected from the triggers of memories, all active ones or those named.

    A trigger is taken where it finds its memory today and nothing is expected of it yet.

    Raises:
        NotFound: there is no such memory.
        InvalidInput: `limit` or `within` is out of range.
    """
    if not 1 <= limit <= MOST:
        raise InvalidInput(f"limit {limit} is not from 1 to {MOST:,}, what a project may expect")
    if within is not None:
        check_within(within)
    known = Known(reader, project)
    named = [known.present(name) for name in memory_ids]
    asked = {each.query for each in reader.expectations(project) if each.labels is None}
    span = WITHIN if within is None else within
    held = _triggers(named or reader.memories(project))
    offered = (Expectation(query, ids, span) for query, ids in held if query not in asked)
    wanted = [each for each in offered if not validation.check_form(as_json(each), "expectation")]
    expected: list[Expectation] = []
    unfound: list[Unfound] = []
    for each in wanted[:limit]:
        found = outcome(known, index, each, today)
        if found.held:
            expected.append(each)
        else:
            unfound.append(Unfound(each.query, found.missing))
    return Found(tuple(expected), tuple(unfound), max(0, len(wanted) - limit))


def done(found: Found, receipt: Receipt) -> Seeds:
    """Return what became of seeds."""
    return Seeds(tuple(map(as_listed, found.expected)), found.unfound, found.left, receipt)


def _triggers(memories: Iterable[Memory]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (trigger, the memories that have it), in the order of the first of these."""
    holders: dict[str, list[str]] = {}
    for memory in memories:
        if memory.status is Status.ACTIVE and not memory.archived:
            for text in memory.document.get("triggers", ()):
                if not secrets.scan(text):
                    holders.setdefault(documents.cleaned(text), []).append(memory.id)
    yield from ((query, tuple(sorted(set(ids)))) for query, ids in holders.items())
