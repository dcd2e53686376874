"""A question that cannot be answered as it was meant is told so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
COMMON = (
    "the question holds no word that tells memories apart; ask with the words of an error "
    "message, a name or a file"
)


def archived(count: str) -> str:
    return f"{count} archived, and archived ones are not ranked; search lists them"


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as store:
        for name in ("first", "second", "third"):
            store.create(
                draft(id=name, description=f"the {name} lesson about a lock that is held")
            )
        store.archive("second")
        store.archive("third")
        yield store


@pytest.mark.parametrize("words", ["the of", "is it not", "?!", "der und die ist nicht"])
def test_a_question_of_common_words_is_told_so(memory: ProjectMemory, words: str) -> None:
    assert memory.recall(query=words).notes == (COMMON,)


@pytest.mark.parametrize("words", ["lock", "the lock", "zzz", "", "  "])
def test_any_other_question_is_not(memory: ProjectMemory, words: str) -> None:
    assert memory.recall(query=words).notes == ()


@pytest.mark.parametrize("words", ["lock", ""])
def test_archived_memories_that_a_filter_selects_are_named(
    memory: ProjectMemory, words: str
) -> None:
    found = memory.recall(query=words, label_query="is:archived")
    assert found.answers == ()
    assert found.notes == (archived("2 of the memories that the filter selects are"),)
    found = memory.recall(query=words, label_query="is:any NOT id:second")
    assert [hit.id for hit in found.answers] == ["first"]
    assert found.notes == (archived("1 of the memories that the filter selects is"),)


def test_a_filter_by_status_counts_too(memory: ProjectMemory) -> None:
    memory.unarchive("second")
    memory.set_status("second", "wrong", reason="it never held")
    memory.archive("second")
    found = memory.recall(query="lock", label_query="is:archived", status_filter="active")
    assert found.notes == (archived("1 of the memories that the filter selects is"),)


def test_the_newest_first_holds_archived_ones_itself(memory: ProjectMemory) -> None:
    found = memory.recall(query="the", label_query="is:archived", order="recent")
    assert (len(found.answers), found.notes) == (2, ())


def test_standing_rules_that_do_not_fit_are_named(memory: ProjectMemory) -> None:
    for number in range(7):
        text = f"rule {number} holds whatever is worked on, and has many words to say so"
        memory.create(draft(id=f"rule-{number}", description=text, standing=True))
    found = memory.recall(max_tokens=350)
    told = [hit.id for hit in found.standing]
    left_out = [f"rule-{number}" for number in range(len(told), 7)]
    assert told == [f"rule-{number}" for number in range(len(told))]
    assert len(left_out) >= 2
    assert found.notes == (
        f"standing rules that did not fit: {', '.join(left_out)}; ask for more tokens",
    )
    assert memory.recall(max_tokens=10_000).notes == ()
    assert memory.recall(query="lock", max_tokens=350).notes == ()
