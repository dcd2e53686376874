"""To say that a memory still holds moves its date, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput, InvalidTransition, NotFound, SecretFound
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)
CREATED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 5, 9, 23, 59, tzinfo=UTC)
ISSUED = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    """Return a project of three memories, looked at some weeks later."""
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: CREATED
    ) as opened:
        for name in ("first", "second", "third"):
            opened.create(draft(id=name, description=f"the lesson that is called {name} here"))
        yield ProjectMemory(opened._storage, "demo", ADA, lambda: LATER)


def validated(memory: ProjectMemory, name: str) -> str:
    return memory.get(name).memory["evidence"]["last_validated"]


def test_several_are_validated_in_one_revision_with_the_note(memory: ProjectMemory) -> None:
    receipt = memory.touch(["first", "second", "first"], note="both seen in the log of today")
    assert [(t.id, t.change, t.version) for t in receipt.memories] == [
        ("first", "validated", 2),
        ("second", "validated", 2),
    ]
    days = [validated(memory, name) for name in ("first", "second", "third")]
    assert days == ["2026-05-09", "2026-05-09", "2026-03-01"]
    (newest, *_) = memory.history().revisions
    assert (newest.operation, newest.reason) == ("touch", "both seen in the log of today")


def test_nothing_but_the_day_changes(memory: ProjectMemory) -> None:
    before = memory.get("first").memory
    memory.touch(["first"])
    evidence = {**before["evidence"], "last_validated": "2026-05-09"}
    assert memory.get("first").memory == {**before, "evidence": evidence}


def test_whoever_asserted_it_still_does(memory: ProjectMemory) -> None:
    ProjectMemory(memory._storage, "demo", BOT, lambda: LATER).touch(["first"])
    assert memory.get("first").meta.asserted_by == "user"


def test_a_second_time_on_one_day_changes_nothing(memory: ProjectMemory) -> None:
    memory.touch(["first"])
    receipt = memory.touch(["first"])
    assert receipt.notes == ("'first' was validated today already", "nothing changed")
    assert memory.get("first").meta.version == 2


def test_a_stale_one_stays_stale_and_that_is_said(memory: ProjectMemory) -> None:
    memory.set_status("first", "stale", reason="the driver changed")
    receipt = memory.touch(["first"])
    assert receipt.notes == (
        "'first' is still stale; if it holds again, use `project-memory status first active`",
    )
    assert (validated(memory, "first"), memory.get("first").memory["status"]) == (
        "2026-05-09",
        "stale",
    )


def test_a_wrong_one_cannot_hold_and_then_none_is_validated(memory: ProjectMemory) -> None:
    memory.set_status("second", "wrong", reason="it was the cache")
    with pytest.raises(InvalidTransition) as refused:
        memory.touch(["first", "second"])
    assert str(refused.value) == (
        "'second' is wrong, so it cannot still hold; if it holds after all, use "
        "`project-memory status second active --reason TEXT`"
    )
    assert validated(memory, "first") == "2026-03-01"


def test_one_that_is_not_there_is_named(memory: ProjectMemory) -> None:
    with pytest.raises(NotFound) as refused:
        memory.touch(["first", "nothing"])
    assert str(refused.value) == "no memory 'nothing'; list ids with `project-memory list`"
    assert validated(memory, "first") == "2026-03-01"


def test_none_is_too_few(memory: ProjectMemory) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.touch([])
    assert str(refused.value) == "no memory is named; name the ones that still hold"


def test_a_dry_run_says_the_same_and_changes_nothing(memory: ProjectMemory) -> None:
    receipt = memory.touch(["first"], dry_run=True)
    assert [(t.id, t.version) for t in receipt.memories] == [("first", 2)]
    assert validated(memory, "first") == "2026-03-01"


def test_the_note_is_no_place_for_a_secret(memory: ProjectMemory) -> None:
    with pytest.raises(SecretFound):
        memory.touch(["first"], note=f"with {ISSUED}")


def test_it_is_undone(memory: ProjectMemory) -> None:
    memory.touch(["first", "second"])
    memory.undo()
    assert [validated(memory, name) for name in ("first", "second")] == ["2026-03-01"] * 2


def test_it_is_an_operation_among_others(memory: ProjectMemory) -> None:
    memory.apply([{"op": "touch", "id": "first"}, {"op": "pin", "id": "first"}])
    assert validated(memory, "first") == "2026-05-09"
    assert memory.get("first").meta.pinned is True
