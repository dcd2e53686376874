"""What happened is read whole, also where an id was given twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import NotFound, VersionConflict
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.day = 1

    def __call__(self) -> datetime:
        return datetime(2026, 3, self.day, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Iterator[ProjectMemory]:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=clock
    ) as opened:
        yield opened


def made(memory: ProjectMemory, name: str, what: str) -> None:
    memory.create(draft(id=name, description=f"the lesson that is called {what} here"))


def lived_twice(memory: ProjectMemory, clock: Clock) -> None:
    """Let an id be given on day 1, deleted on day 3 and given again on day 5."""
    made(memory, "first", "one")
    clock.day = 3
    memory.delete("first")
    clock.day = 5
    made(memory, "first", "two")


def test_the_history_of_an_id_tells_both_its_lives(memory: ProjectMemory, clock: Clock) -> None:
    lived_twice(memory, clock)
    assert [entry.operation for entry in memory.history("first").revisions] == [
        "create",
        "delete",
        "create",
    ]


def test_versions_of_both_lives_can_be_read(memory: ProjectMemory, clock: Clock) -> None:
    lived_twice(memory, clock)
    texts = [memory.get("first", version=n).memory["description"] for n in (1, 2)]
    assert texts == [
        "the lesson that is called one here",
        "the lesson that is called two here",
    ]
    assert memory.diff("first", old=1).fields["description"] == texts


@pytest.mark.parametrize(("day", "what"), [("02", "one"), ("05", "two")])
def test_a_moment_finds_the_life_of_then(
    memory: ProjectMemory, clock: Clock, day: str, what: str
) -> None:
    lived_twice(memory, clock)
    then = memory.get("first", as_of=f"2026-03-{day}").memory
    assert then["description"] == f"the lesson that is called {what} here"


@pytest.mark.parametrize("day", ["2026-02-28", "2026-03-04"])
def test_between_two_lives_there_was_no_memory(
    memory: ProjectMemory, clock: Clock, day: str
) -> None:
    lived_twice(memory, clock)
    with pytest.raises(NotFound) as caught:
        memory.get("first", as_of=day)
    assert str(caught.value) == (
        f"'first' did not exist at {day}; `project-memory history list first` shows its history"
    )


def test_a_version_of_an_id_is_not_that_of_a_memory_which_took_it_later(
    memory: ProjectMemory,
) -> None:
    made(memory, "first", "one")
    memory.delete("first")
    made(memory, "other", "two")
    memory.rename("other", "first")
    found = memory.get("first", version=1).memory
    assert found["description"] == "the lesson that is called one here"


def test_versions_of_an_id_go_on_when_a_memory_takes_it_by_a_renaming(
    memory: ProjectMemory,
) -> None:
    made(memory, "first", "one")
    memory.update("first", {"tags": ["x"]})
    memory.delete("first")
    made(memory, "other", "two")
    memory.rename("other", "first")
    assert memory.get("first").meta.version == 3
    with pytest.raises(VersionConflict):
        memory.update("first", {"tags": ["y"]}, if_version=2)
