"""The order of belief is total, fixed, and blind to the order of its input."""

from __future__ import annotations

from datetime import date
from itertools import permutations

from factories import memory
from hypothesis import given
from hypothesis import strategies as st

from project_memory import precedence
from project_memory.model import Authority, Memory

TODAY = date(2026, 3, 1)
CREDIBLE = st.builds(
    lambda authority, validated, updated: (authority, validated, updated),
    st.sampled_from(Authority),
    st.sampled_from(["2025-01-01", "2025-12-31", "2026-01-31"]),
    st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]),
)


def believed(name: str, authority: Authority, validated: str, updated: str) -> Memory:
    evidence = {"created_from_task": "t", "last_validated": validated}
    return memory(id=name, asserted_by=authority, evidence=evidence, updated_at=updated)


def names(*memories: Memory) -> list[str]:
    return [each.id for each in precedence.ordered(memories)]


def test_a_person_goes_before_an_agent_and_an_agent_before_an_import() -> None:
    found = names(
        believed("from-import", Authority.IMPORT, "2026-03-01", "2026-03-01T00:00:00Z"),
        believed("from-agent", Authority.AGENT, "2026-02-01", "2026-02-01T00:00:00Z"),
        believed("from-user", Authority.USER, "2026-01-01", "2026-01-01T00:00:00Z"),
    )
    assert found == ["from-user", "from-agent", "from-import"]


def test_of_one_authority_the_later_validated_goes_first() -> None:
    found = names(
        believed("old", Authority.AGENT, "2025-01-01", "2026-02-01T00:00:00Z"),
        believed("new", Authority.AGENT, "2026-01-01", "2026-01-01T00:00:00Z"),
    )
    assert found == ["new", "old"]


def test_of_one_validation_the_later_edited_goes_first_and_of_one_edit_the_lesser_id() -> None:
    found = names(
        believed("bbb", Authority.AGENT, "2026-01-01", "2026-01-01T00:00:00Z"),
        believed("aaa", Authority.AGENT, "2026-01-01", "2026-01-01T00:00:00Z"),
        believed("ccc", Authority.AGENT, "2026-01-01", "2026-01-02T00:00:00Z"),
    )
    assert found == ["ccc", "aaa", "bbb"]


@given(st.lists(CREDIBLE, min_size=2, max_size=4))
def test_the_order_is_total_and_does_not_depend_on_the_order_asked_in(
    given_: list[tuple[Authority, str, str]],
) -> None:
    memories = [believed(f"memory-{at}", *how) for at, how in enumerate(given_)]
    found = names(*memories)
    assert all(names(*asked) == found for asked in permutations(memories))
    # of any two, the same one is believed whether they are asked alone or among others
    for at, one in enumerate(found):
        for other in found[at + 1 :]:
            pair = [each for each in memories if each.id in {one, other}]
            assert names(*pair) == [one, other]


FACTS = st.fixed_dictionaries(
    {"fact": st.sampled_from(["80", "90"])},
    optional={
        "status": st.sampled_from(["verified", "assumption"]),
        "verified_at": st.sampled_from(["2026-01-01", "2026-01-02"]),
        "expires": st.sampled_from(["2026-01-31", "2026-12-31"]),
    },
)


@given(st.lists(st.tuples(CREDIBLE, FACTS), min_size=2, max_size=4))
def test_the_order_of_facts_is_total_and_does_not_depend_on_the_order_asked_in(
    given_: list[tuple[tuple[Authority, str, str], dict[str, str]]],
) -> None:
    claims = [(believed(f"memory-{at}", *how), fact) for at, (how, fact) in enumerate(given_)]
    found = precedence.of_facts(claims, TODAY)
    assert all(precedence.of_facts(asked, TODAY) == found for asked in permutations(claims))
    for at, one in enumerate(found):
        for other in found[at + 1 :]:
            assert precedence.of_facts([other, one], TODAY) == [one, other]
