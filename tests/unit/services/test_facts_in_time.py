"""What a fact counts for on the day it is read; the document stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.lifecycle import FactStatus
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
VERIFIED = {"status": "verified", "verified_at": "2026-01-10", "source": "measured"}
UNTIL = {"fact": "the mirror is down", **VERIFIED, "expires": "2026-02-28"}
OLD = {"fact": "the mirror is slow", "status": "deprecated", "expires": "2026-02-28"}
NO_CURRENT = "without a current fact, all have expired or are deprecated: check it first"


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 2, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Iterator[ProjectMemory]:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=clock
    ) as opened:
        yield opened


def made(memory: ProjectMemory, name: str, *facts: Any) -> None:
    described = f"the lesson of the mirror that is called {name} here"
    memory.create(draft(id=name, description=described, remembered_facts=list(facts)))


@pytest.mark.parametrize(
    ("fact", "counts"),
    [
        (UNTIL, FactStatus(0, "assumption", "2026-02-28")),
        ({**UNTIL, "status": "assumption"}, FactStatus(0, "assumption", "2026-02-28")),
        ({"fact": "f", "expires": "2026-02-28"}, FactStatus(0, "assumption", "2026-02-28")),
        (OLD, None),
        ({**UNTIL, "expires": "2026-03-01"}, None),
        ({"fact": "f", **VERIFIED}, None),
        ("the mirror is down", None),
    ],
)
def test_an_expired_fact_counts_as_an_assumption(
    memory: ProjectMemory, clock: Clock, fact: Any, counts: FactStatus | None
) -> None:
    made(memory, "first", fact, "and this stays")
    clock.now = datetime(2026, 3, 1, 0, 0, tzinfo=UTC)
    reading = memory.get("first")
    assert reading.facts == (counts and (counts,))
    assert reading.memory["remembered_facts"] == [fact, "and this stays"]
    assert reading.banner is None


def test_a_fact_counts_to_the_end_of_its_last_day(memory: ProjectMemory, clock: Clock) -> None:
    made(memory, "first", UNTIL)
    clock.now = datetime(2026, 2, 28, 23, 59, tzinfo=UTC)
    assert (memory.get("first").facts, memory.get("first").banner) == (None, None)


def test_an_answer_that_is_given_whole_says_it_too(memory: ProjectMemory, clock: Clock) -> None:
    made(memory, "first", "and this stays", UNTIL)
    clock.now = datetime(2026, 3, 1, tzinfo=UTC)
    (whole,) = memory.recall(query="mirror").answers
    assert whole.facts == (FactStatus(1, "assumption", "2026-02-28"),)
    (light,) = memory.recall(query="mirror", full_count=0).answers
    assert (light.memory, light.facts) == (None, None)


@pytest.mark.parametrize("facts", [[UNTIL], [UNTIL, OLD], [OLD]])
def test_a_memory_without_a_current_fact_has_a_banner_everywhere(
    memory: ProjectMemory, clock: Clock, facts: list[Any]
) -> None:
    made(memory, "first", *facts)
    clock.now = datetime(2026, 3, 1, tzinfo=UTC)
    assert memory.get("first").banner == NO_CURRENT
    assert [hit.banner for hit in memory.recall(query="mirror").answers] == [NO_CURRENT]
    assert [light.banner for light in memory.search().memories] == [NO_CURRENT]
    assert [light.banner for light in memory.neighborhood("first").nodes] == [NO_CURRENT]


def test_one_current_fact_is_enough(memory: ProjectMemory, clock: Clock) -> None:
    made(memory, "first", UNTIL, OLD, "and this stays")
    clock.now = datetime(2026, 3, 1, tzinfo=UTC)
    assert memory.get("first").banner is None


def test_the_past_is_shown_as_it_was(memory: ProjectMemory, clock: Clock) -> None:
    made(memory, "first", UNTIL)
    clock.now = datetime(2026, 3, 1, tzinfo=UTC)
    reading = memory.get("first", as_of="2026-02-02")
    assert reading.facts is None
    assert reading.banner == "version 1 of 'first', as it was at 2026-02-01T12:00:00Z"


def test_an_export_names_the_memories_and_writes_the_documents_as_they_are(
    memory: ProjectMemory, clock: Clock, tmp_path: Path
) -> None:
    made(memory, "first", UNTIL)
    made(memory, "second", OLD, "and this stays")
    fresh = memory.export_directory(tmp_path / "folder")
    before = (tmp_path / "folder/memories/first.json").read_bytes()
    clock.now = datetime(2026, 3, 1, tzinfo=UTC)
    later = memory.export_directory(tmp_path / "folder")
    assert (fresh.expired, later.expired) == ((), ("first",))
    assert later.files_changed == 0
    assert (tmp_path / "folder/memories/first.json").read_bytes() == before
    assert memory.export_file(tmp_path / "all.json").expired == ("first",)
