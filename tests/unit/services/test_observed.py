"""Nothing can have been seen on a day that lies ahead."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidDocument
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)


def verified(day: str) -> dict[str, str]:
    return {"fact": "it is", "status": "verified", "verified_at": day, "source": "measured"}


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    """Return a project on March 1."""
    with ProjectMemory.open(
        "inmemory://",
        project="demo",
        actor=ADA,
        create=True,
        clock=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC),
    ) as opened:
        yield opened


@pytest.mark.parametrize(
    ("fields", "place", "day"),
    [
        ({"evidence": {"last_validated": "2026-03-03"}}, "evidence.last_validated", "2026-03-03"),
        ({"evidence": {"last_validated": "2099-01-01"}}, "evidence.last_validated", "2099-01-01"),
        ({"remembered_facts": ["it is", verified("2026-03-03")]},
         "remembered_facts[1].verified_at", "2026-03-03"),
    ],
)  # fmt: skip
def test_a_day_that_lies_ahead_is_refused(
    memory: ProjectMemory, fields: dict[str, Any], place: str, day: str
) -> None:
    message = (
        f"first $.{place}: '{day}' lies ahead; write the day on which it was seen [future-date]"
    )
    with pytest.raises(InvalidDocument) as refused:
        memory.create(draft(id="first", **fields))
    assert str(refused.value) == message
    memory.create(draft(id="first"))
    with pytest.raises(InvalidDocument) as refused:
        memory.update("first", fields)
    assert str(refused.value) == message
    assert memory.get("first").meta.version == 1


def test_tomorrow_is_today_somewhere(memory: ProjectMemory) -> None:
    facts = [verified("2026-03-02")]
    evidence = {"last_validated": "2026-03-02"}
    memory.create(draft(id="first", evidence=evidence, remembered_facts=facts))
    assert memory.get("first").memory["evidence"]["last_validated"] == "2026-03-02"


def test_a_day_that_stands_there_already_keeps_nobody_from_editing(
    memory: ProjectMemory,
) -> None:
    memory.create(draft(id="first"))
    earlier = ProjectMemory(memory._storage, "demo", ADA, lambda: datetime(2026, 2, 1, tzinfo=UTC))
    earlier.update("first", {"tags": ["slow"]})
    assert earlier.get("first").memory["tags"] == ["slow"]
    earlier.touch(["first"])
    assert earlier.get("first").memory["evidence"]["last_validated"] == "2026-02-01"
