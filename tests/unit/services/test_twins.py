"""Receipts name what says nearly the same; they refuse nothing and decide nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority, NearDuplicate, Receipt, Status

ADA = Actor("ada", Authority.USER)
LESSON = "The build fails when the lock file is missing from the repository"
TWIN = "The build breaks when the lock file is missing from the repository"
FACT = "run the installer before the first build of a checkout"


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as opened:
        yield opened


def told(text: str, *facts: str, **fields: Any) -> dict[str, Any]:
    """Return a draft that says this."""
    return draft(description=text, remembered_facts=list(facts) or [FACT], **fields)


def grams(text: str) -> set[str]:
    return {text[start : start + 5] for start in range(len(text) - 4)}


def twins(receipt: Receipt) -> list[tuple[str, str]]:
    return [(near.id, near.twin) for near in receipt.near_duplicates]


def test_a_created_twin_is_named_with_its_score(memory: ProjectMemory) -> None:
    memory.create(told(LESSON, id="first"))
    receipt = memory.create(told(TWIN, id="second"))
    one, other = (grams(f"{text} {FACT}".lower()) for text in (LESSON, TWIN))
    score = round(len(one & other) / len(one | other), 4)
    assert receipt.near_duplicates == (NearDuplicate("second", "first", score, Status.ACTIVE),)
    assert receipt.revision == 3


def test_a_dry_run_names_it_too(memory: ProjectMemory) -> None:
    memory.create(told(LESSON, id="first"))
    assert twins(memory.create(told(TWIN, id="second"), dry_run=True)) == [("second", "first")]


def test_an_allowed_duplicate_is_named_as_wholly_alike(memory: ProjectMemory) -> None:
    memory.create(told(LESSON, id="first"))
    receipt = memory.create(told(LESSON, id="second"), allow_duplicate=True)
    assert [near.score for near in receipt.near_duplicates] == [1.0]


def test_another_lesson_is_not_named(memory: ProjectMemory) -> None:
    memory.create(told("The client must retry 3 times before it gives the payment up"))
    receipt = memory.create(told("The client must retry 5 times before it gives the payment up"))
    assert receipt.near_duplicates == ()


def test_an_update_of_the_text_names_its_twin_and_one_of_the_tags_does_not(
    memory: ProjectMemory,
) -> None:
    memory.create(told(LESSON, id="first"))
    memory.create(told("Dates in the export are local time, not UTC", id="second"))
    assert twins(memory.update("second", {"description": TWIN})) == [("second", "first")]
    assert memory.update("second", {"tags": ["lock"]}).near_duplicates == ()


def test_a_batch_names_twins_in_the_store_and_in_itself(memory: ProjectMemory) -> None:
    memory.create(told(LESSON, id="first"))
    receipt = memory.apply(
        [
            {"op": "create", "memory": told(TWIN, id="second")},
            {"op": "create", "memory": told(f"{TWIN} now", id="third")},
        ]
    )
    assert twins(receipt) == [
        ("second", "third"),
        ("second", "first"),
        ("third", "second"),
        ("third", "first"),
    ]


def test_of_a_long_batch_the_first_fifty_are_looked_up_and_the_receipt_says_so(
    memory: ProjectMemory,
) -> None:
    operations = [
        {"op": "create", "memory": told(f"lesson {number} of the long batch", str(number))}
        for number in range(51)
    ]
    assert memory.apply(operations).notes == (
        "near-duplicates were looked for among the first 50 of 51 texts; "
        "`project-memory audit --check near-duplicate` looks at all",
    )


def test_what_is_out_of_retrieval_or_superseded_is_no_twin(memory: ProjectMemory) -> None:
    memory.create(told(LESSON, id="gone"))
    memory.archive("gone")
    assert twins(memory.create(told(TWIN, id="old"))) == []
    memory.create(told("An entirely different lesson follows", id="heir"))
    memory.link("heir", "supersedes", "old")
    assert twins(memory.create(told(LESSON, id="new"))) == []


def test_a_twin_that_is_wrong_is_named_as_such(memory: ProjectMemory) -> None:
    memory.create(told(LESSON, id="first"))
    memory.set_status("first", "wrong", reason="it builds without one")
    (near,) = memory.create(told(TWIN, id="second")).near_duplicates
    assert near.status is Status.WRONG


def test_what_a_draft_links_to_is_known_and_not_named(memory: ProjectMemory) -> None:
    memory.create(told(LESSON, id="first"))
    new = told(TWIN, id="second", relationships={"supersedes": ["first"]})
    assert memory.create(new).near_duplicates == ()


def test_words_of_replacement_beside_a_twin_suggest_that_it_is_superseded(
    memory: ProjectMemory,
) -> None:
    memory.create(told("Use npm to install the packages of the workspace", id="first"))
    receipt = memory.create(
        told("Use pnpm instead of npm to install the packages of the workspace", id="second")
    )
    (near,) = receipt.near_duplicates
    assert (near.twin, near.suggests) == ("first", "supersedes")
    assert memory.get("first").memory["status"] == "active"


def test_what_replaces_a_lesson_may_differ_from_it_in_a_number(memory: ProjectMemory) -> None:
    memory.create(told("The gateway gives a request up after 30 seconds", id="first"))
    receipt = memory.create(
        told("The gateway gives a request up after 60 seconds, no longer 40", id="second")
    )
    assert [(near.twin, near.suggests) for near in receipt.near_duplicates] == [
        ("first", "supersedes")
    ]


def test_a_renamed_twin_is_named_by_its_new_id(memory: ProjectMemory) -> None:
    memory.create(told(LESSON, id="first"))
    memory.rename("first", "renamed")
    assert twins(memory.create(told(TWIN, id="second"))) == [("second", "renamed")]


def test_an_undone_deletion_is_found_by_its_text_again(memory: ProjectMemory) -> None:
    memory.create(told(LESSON, id="first"))
    memory.delete("first")
    assert twins(memory.create(told(TWIN, id="second"), dry_run=True)) == []
    memory.undo()
    assert twins(memory.create(told(TWIN, id="second"))) == [("second", "first")]
