"""Lists of memories in another order, and of one memory's uses."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput, NotFound
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


@pytest.fixture
def memories() -> Iterator[ProjectMemory]:
    """Return 'kelp', 'crab' and 'wave', made in this order on three days; 'kelp' changed last."""
    moments = [NOW]
    with ProjectMemory.open(
        "inmemory://", project="sea", actor=ADA, create=True, clock=lambda: moments[-1]
    ) as opened:
        for name in ("kelp", "crab", "wave"):
            opened.create(draft(id=name, description=f"a lesson about {name}, for the tests"))
            moments.append(moments[-1] + timedelta(days=1))
        opened.update("kelp", {"pitfalls": ["the tide turns"]})
        yield opened


def ids(memories: ProjectMemory, **query: object) -> list[str]:
    return [memory.id for memory in memories.search(**query).memories]


def test_a_list_goes_by_id_or_begins_with_what_was_updated_last(memories: ProjectMemory) -> None:
    assert ids(memories) == ["crab", "kelp", "wave"]
    assert ids(memories, order="recent") == ["kelp", "wave", "crab"]
    page = memories.search(order="recent", limit=1, offset=1)
    assert ([m.id for m in page.memories], page.total, page.next_offset) == (["wave"], 3, 2)
    memories.archive("wave")
    assert ids(memories, order="recent") == ["kelp", "crab"]


def test_a_list_is_of_the_days_that_are_asked_for(memories: ProjectMemory) -> None:
    assert ids(memories, after="2026-02-02") == ["kelp", "wave"]
    assert ids(memories, before="2026-02-01") == ["crab"]
    assert ids(memories, after="2026-02-02", before="2026-02-02") == ["wave"]


def test_an_order_that_there_is_not_is_named(memories: ProjectMemory) -> None:
    with pytest.raises(InvalidInput) as error:
        memories.search(order="newest")
    assert str(error.value) == "no order 'newest'; choose one of id, recent"


def test_the_uses_of_one_memory_are_told_archived_or_not(memories: ProjectMemory) -> None:
    memories.record_use(["kelp"])
    memories.archive("kelp")
    report = memories.memory_usage("kelp")
    (row,) = report.memories
    assert (report.count, row.id, row.total.applied, row.total.wrong) == (1, "kelp", 1, 0)
    with pytest.raises(NotFound) as error:
        memories.memory_usage("whale")
    assert str(error.value) == "no memory 'whale'; list ids with `project-memory list`"
