"""Tiers: moved up one at a time, counted anew, and taken back by an undo."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import Conflict, InvalidInput
from project_memory.model import Actor, Authority, Memory
from project_memory.storage import open_storage

BOT = Actor("bot", Authority.AGENT)
START = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Calendar:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, days: int) -> None:
        self.now += timedelta(days=days)


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
def memories(calendar: Calendar) -> Iterator[ProjectMemory]:
    storage = open_storage("inmemory://", create=True)
    with storage.write() as writer:
        writer.put_project("demo")
    with ProjectMemory(storage, "demo", BOT, calendar) as opened:
        opened.add_label("kind:bug")
        opened.create(draft(id="locked"))
        yield opened


def stored(memories: ProjectMemory) -> Memory:
    with memories._storage.read() as reader:
        found = reader.memory(1, "locked")
    assert found is not None
    return found


def promote(memories: ProjectMemory, tier: int) -> None:
    memories.apply([{"op": "promote", "id": "locked", "tier": tier}])


def test_a_memory_enters_its_first_tier_when_it_is_made(memories: ProjectMemory) -> None:
    assert (stored(memories).tier, stored(memories).tier_since) == (1, "2026-01-01T12:00:00Z")


def test_a_move_counts_anew_and_leaves_text_and_version(
    memories: ProjectMemory, calendar: Calendar
) -> None:
    before = stored(memories)
    calendar.forward(40)
    promote(memories, 2)
    after = stored(memories)
    assert (after.tier, after.tier_since) == (2, "2026-02-10T12:00:00Z")
    assert (after.document, after.version) == (before.document, before.version)


def test_undoing_a_move_brings_the_old_count_back(
    memories: ProjectMemory, calendar: Calendar
) -> None:
    before = stored(memories)
    calendar.forward(40)
    promote(memories, 2)
    memories.undo()
    assert stored(memories) == before


def test_what_comes_back_from_the_archive_is_counted_anew(
    memories: ProjectMemory, calendar: Calendar
) -> None:
    memories.archive("locked")
    calendar.forward(40)
    memories.undo()
    assert stored(memories).tier_since == "2026-02-10T12:00:00Z"
    memories.archive("locked")
    calendar.forward(1)
    memories.unarchive("locked")
    assert stored(memories).tier_since == "2026-02-11T12:00:00Z"


def test_a_move_is_one_tier_up(memories: ProjectMemory) -> None:
    with pytest.raises(Conflict) as caught:
        promote(memories, 3)
    message = "'locked' is in tier 1 and moves up to tier 2, not to 3; audit again"
    assert str(caught.value) == message
    with pytest.raises(InvalidInput, match="'tier' is not an integer"):
        memories.apply([{"op": "promote", "id": "locked", "tier": "2"}])


def test_silence_is_judged_by_the_gates_that_are_given(
    memories: ProjectMemory, calendar: Calendar
) -> None:
    calendar.forward(1)
    memories.create(
        draft(id="slow", description="A slow query of the parser", remembered_facts=["x"])
    )
    for word in ("slow", "query", "parser"):
        memories.recall(query=word, limit=1)
    memories._tally.close()
    calendar.forward(2)
    codes = ["silent", "earned"]
    assert memories.audit(codes=codes).findings == ()
    limits = {"gate": ["1:3:3"]}
    (silent,) = memories.audit(codes=codes, limits=limits).findings
    assert (silent.code, silent.subject) == ("silent", "locked")
    limits["protect"] = "kind:bug"
    assert memories.audit(codes=codes, limits=limits).findings == ()


def test_feedback_and_questions_of_one_caller_can_hide_nothing(
    memories: ProjectMemory, calendar: Calendar
) -> None:
    memories.create(
        draft(id="slow", description="A slow parser of lists", remembered_facts=["a comma"])
    )
    calendar.forward(1)
    for number in range(60):
        memories.record_use([], wrong_ids=["locked"])
        memories.recall(query=f"frobnication {number}")
        memories.recall(query="slow parser", limit=1)
    memories._tally.close()
    calendar.forward(40)
    assert memories.usage().questions == 1
    acts = [f for f in memories.audit().findings if f.subject == "locked" and f.action]
    assert acts == []
    (best, *_) = memories.recall(query="database is locked").answers
    assert (best.id, best.status) == ("locked", "active")
