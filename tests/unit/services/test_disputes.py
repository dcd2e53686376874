"""What contradicts each other is told together, what is believed first; nothing is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from factories import draft, memory
from hypothesis import given
from hypothesis import strategies as st

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority
from project_memory.services.disputes import Rival, arranged

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
REASON = "only one of them can be right"
VERIFIED = {"status": "verified", "verified_at": "2026-01-10", "source": "measured"}


@pytest.fixture
def person() -> Iterator[ProjectMemory]:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: NOW
    ) as opened:
        yield opened


@pytest.fixture
def agent(person: ProjectMemory) -> ProjectMemory:
    return ProjectMemory(person._storage, "demo", BOT, lambda: NOW)


def add(
    memories: ProjectMemory, name: str, text: str, *facts: Any, validated: str = "2026-02-01"
) -> None:
    evidence = {"last_validated": validated}
    said = list(facts) or [f"this is known of {name}"]
    new = draft(id=name, description=text, remembered_facts=said, evidence=evidence)
    memories.create(new, allow_duplicate=True)


def port(value: str, **fields: Any) -> dict[str, Any]:
    return {"fact": value, "key": "the port", **fields}


def marks(memories: ProjectMemory, name: str) -> list[tuple[tuple[str, ...] | None, str | None]]:
    """Return how a memory is marked by each way of reading it."""
    found = [
        memories.get(name),
        *(light for light in memories.search().memories if light.id == name),
        *(hit for hit in memories.recall(query="gateway port").answers if hit.id == name),
        *(node for node in memories.neighborhood(name).nodes if node.id == name),
    ]
    assert len(found) == 4
    return [(each.suppressed_by, each.banner) for each in found]


def answers(memories: ProjectMemory, **query: Any) -> list[str]:
    return [hit.id for hit in memories.recall(**query).answers]


def test_a_linked_contradiction_is_resolved_the_same_on_every_way_of_reading(
    person: ProjectMemory, agent: ProjectMemory
) -> None:
    add(agent, "by-agent", "the gateway port is closed at night")
    add(person, "by-person", "the gateway port is open at night")
    agent.link("by-agent", "contradicts", "by-person", link_reason=REASON)
    said = "contradicted by 'by-person', which goes before it: rely on that instead"
    assert marks(person, "by-agent") == [(("by-person",), said)] * 4
    assert marks(person, "by-person") == [(None, None)] * 4


def test_facts_of_one_key_and_two_values_contradict_each_other_without_a_link(
    person: ProjectMemory,
) -> None:
    add(person, "older", "the gateway port of the cluster", port("8080"))
    add(person, "newer", "the port that the gateway has", port("9090"), validated="2026-02-20")
    said = "contradicted on 'the port' by 'newer', which goes before it: rely on that instead"
    assert marks(person, "older") == [(("newer",), said)] * 4
    assert marks(person, "newer") == [(None, None)] * 4


def test_one_value_in_two_spellings_is_no_contradiction(person: ProjectMemory) -> None:
    add(person, "first", "the gateway port of the cluster", port("Eighty  Eighty"))
    add(person, "second", "the port that the gateway has", port("eighty eighty"))
    assert person.get("first").suppressed_by is None
    assert person.get("second").suppressed_by is None


@pytest.mark.parametrize(
    ("loser", "winner"),
    [
        (port("80"), port("90", **VERIFIED)),
        (port("80", status="assumption"), port("90")),
        (port("80", **VERIFIED), port("90", **{**VERIFIED, "verified_at": "2026-01-11"})),
        (port("80", **VERIFIED, expires="2026-02-28"), port("90")),
        (
            port("80", **{**VERIFIED, "verified_at": "2026-02-01"}, expires="2026-02-28"),
            port("90", **VERIFIED),
        ),
    ],
    ids=["verified", "assumption", "later verified", "expired", "expired though later verified"],
)
def test_of_one_authority_the_better_fact_is_believed(
    person: ProjectMemory, loser: Any, winner: Any
) -> None:
    add(person, "loser", "the gateway port of the cluster", loser, validated="2026-02-20")
    add(person, "winner", "the port that the gateway has", winner, validated="2026-01-01")
    assert person.get("loser").suppressed_by == ("winner",)
    assert person.get("winner").suppressed_by is None


def test_what_a_person_asserts_goes_before_a_better_fact_of_an_agent(
    person: ProjectMemory, agent: ProjectMemory
) -> None:
    add(agent, "by-agent", "the gateway port of the cluster", port("80", **VERIFIED))
    add(person, "by-person", "the port that the gateway has", port("90", status="assumption"))
    assert person.get("by-agent").suppressed_by == ("by-person",)


def test_a_deprecated_fact_is_no_evidence(person: ProjectMemory) -> None:
    add(person, "first", "the gateway port of the cluster", port("80", status="deprecated"), "x")
    add(person, "second", "the port that the gateway has", port("90"))
    assert person.get("first").suppressed_by is None
    assert person.get("second").suppressed_by is None


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("change", ["archive", "wrong", "stale", "supersede"])
def test_only_active_memories_contradict_each_other(
    person: ProjectMemory, change: str, *, linked: bool
) -> None:
    values = ("80", "80") if linked else ("80", "90")
    add(person, "loser", "the gateway port of the cluster", port(values[0]))
    add(person, "winner", "the port that the gateway has", port(values[1]), validated="2026-02-20")
    if linked:
        person.link("loser", "contradicts", "winner", link_reason=REASON)
    assert person.get("loser").suppressed_by == ("winner",)
    if change == "archive":
        person.archive("winner")
    elif change == "supersede":
        add(person, "heir", "an heir that says nothing of it")
        person.link("heir", "supersedes", "winner")
    else:
        person.set_status("winner", change, reason="the last run showed it")
    assert person.get("loser").suppressed_by is None
    assert person.get("winner").suppressed_by is None


def test_the_loser_is_told_directly_after_the_winner_wherever_each_ranked(
    person: ProjectMemory, agent: ProjectMemory
) -> None:
    add(agent, "aaa", "gateway port gateway port", "the gateway port")
    add(person, "bbb", "a lesson that names the gateway port once, among much else of the kind")
    for number in range(5):
        add(person, f"other-{number}", f"number {number} of the lessons on a gateway and its port")
    before = answers(person, query="gateway port", limit=20)
    assert before.index("aaa") < before.index("bbb") - 1
    person.link("aaa", "contradicts", "bbb", link_reason=REASON)
    after = answers(person, query="gateway port", limit=20)
    assert after.index("aaa") == after.index("bbb") + 1
    others = [name for name in after if name.startswith("other")]
    assert len(others) == 5


def test_pages_fit_together_when_the_winner_ranked_far_below(
    person: ProjectMemory, agent: ProjectMemory
) -> None:
    for number in range(9):
        add(person, f"other-{number}", f"number {number} of the lessons on a gateway and its port")
    add(agent, "aaa", "gateway port gateway port", {"fact": "80", "key": "listens"})
    text = "a lesson that names the gateway port once, among much else of the kind"
    add(person, "bbb", text, {"fact": "90", "key": "answers"})
    everything = {"limit": 20, "max_tokens": 9000}
    before = answers(person, query="gateway port", **everything)
    assert (before[0], before[-1]) == ("aaa", "bbb")
    person.update("bbb", {"remembered_facts": [{"fact": "90", "key": "listens"}]})
    whole = answers(person, query="gateway port", **everything)
    assert whole == ["bbb", "aaa", *before[1:-1]]
    pages = [
        name
        for offset in range(0, 12, 2)
        for name in answers(person, query="gateway port", limit=2, offset=offset)
    ]
    assert pages == whole


def test_a_winner_that_does_not_match_is_named_and_not_brought(
    person: ProjectMemory, agent: ProjectMemory
) -> None:
    add(agent, "aaa", "the gateway port is closed at night")
    add(person, "bbb", "an unrelated text about printing forms")
    person.link("aaa", "contradicts", "bbb", link_reason=REASON)
    (hit,) = [h for h in person.recall(query="gateway closed").answers if h.id == "aaa"]
    assert hit.suppressed_by == ("bbb",)


def test_nothing_stored_changes_by_being_contradicted(
    person: ProjectMemory, agent: ProjectMemory
) -> None:
    add(agent, "aaa", "the gateway port of the cluster", port("80"))
    before = documents.to_text(person.get("aaa").memory)
    add(person, "bbb", "the port that the gateway has", port("90"))
    assert person.get("aaa").suppressed_by == ("bbb",)
    assert documents.to_text(person.get("aaa").memory) == before


def test_the_past_has_no_disputes(person: ProjectMemory) -> None:
    add(person, "aaa", "the gateway port of the cluster", port("80"))
    add(person, "bbb", "the port that the gateway has", port("90"), validated="2026-02-20")
    assert person.get("aaa", version=1).suppressed_by is None


def test_of_many_suppressors_the_five_most_credible_are_named(person: ProjectMemory) -> None:
    add(person, "loser", "the gateway port of the cluster", port("80"), validated="2026-01-01")
    for number in range(1, 8):
        day = f"2026-02-0{number}"
        add(
            person,
            f"winner-{number}",
            f"the port of gateway number {number}",
            port(f"9{number}"),
            validated=day,
        )
    assert person.get("loser").suppressed_by == tuple(f"winner-{n}" for n in (7, 6, 5, 4, 3))


IDS = ("a", "b", "c", "d", "e")


def settled(order: str, *beats: str) -> str:
    """Return letters in the order in which they are told; `ab` says that a goes before b."""
    stored = {name: memory(id=name * 3) for name in (*IDS, "x")}

    def rivals_of(name: str) -> list[Rival]:
        won = [Rival(stored[loser], believed=False) for w, loser in beats if w == name[0]]
        return won + [Rival(stored[w], believed=True) for w, loser in beats if loser == name[0]]

    return "".join(name[0] for name in arranged([name * 3 for name in order], rivals_of))


@pytest.mark.parametrize(
    ("order", "beats", "told"),
    [
        ("abcde", (), "abcde"),
        ("abcde", ("ad",), "adbce"),
        ("abcde", ("da",), "dabce"),
        ("abcde", ("da", "dc"), "dacbe"),
        ("abcde", ("ca", "da"), "cdabe"),
        ("abcde", ("dc", "cb"), "adcbe"),
        ("abcde", ("xa",), "abcde"),
        ("abcde", ("bc", "cd", "db"), "acdbe"),
    ],
    ids=[
        "nothing",
        "a loser far below",
        "a winner far below",
        "two losers",
        "two winners",
        "a chain",
        "a winner that is no answer",
        "a ring",
    ],
)
def test_a_loser_is_told_directly_after_those_that_go_before_it(
    order: str, beats: tuple[str, ...], told: str
) -> None:
    assert settled(order, *beats) == told


@given(
    order=st.permutations(IDS),
    beats=st.sets(
        st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)).filter(lambda p: p[0] != p[1])
    ),
    asked=st.integers(0, 5),
)
def test_any_disputes_leave_every_answer_in_a_stable_place(
    order: list[str], beats: set[tuple[str, str]], asked: int
) -> None:
    stored = {name: memory(id=f"memory-{name}") for name in IDS}
    ids = [f"memory-{name}" for name in order]

    def rivals_of(name: str) -> list[Rival]:
        mine = name.removeprefix("memory-")
        won = [Rival(stored[loser], believed=False) for w, loser in beats if w == mine]
        return won + [Rival(stored[w], believed=True) for w, loser in beats if loser == mine]

    found = list(arranged(ids, rivals_of))
    assert sorted(found) == sorted(ids)
    assert list(arranged(ids, rivals_of)) == found
    disputed = {name for pair in beats for name in pair}
    calm = [name for name in ids if name.removeprefix("memory-") not in disputed]
    assert [name for name in found if name in calm] == calm
    ranks = {name: place for place, name in enumerate(IDS)}
    if all(ranks[w] < ranks[loser] for w, loser in beats):  # no ring: every winner is told first
        assert all(
            found.index(f"memory-{w}") < found.index(f"memory-{loser}") for w, loser in beats
        )


def test_a_batch_says_where_it_contradicts_itself(person: ProjectMemory) -> None:
    drafts = [
        draft(id=name, description=f"the {name} text about a gateway", remembered_facts=[fact])
        for name, fact in (("first", port("80")), ("second", port("90")), ("third", port("80")))
    ]
    receipt = person.apply([{"op": "create", "memory": each} for each in drafts])
    assert [note.partition(";")[0] for note in receipt.notes] == [
        "'first' says of 'the port' something else than 'second'",
        "'second' says of 'the port' something else than 'first', 'third'",
        "'third' says of 'the port' something else than 'second'",
    ]


def test_a_receipt_says_that_a_key_has_another_value_elsewhere(person: ProjectMemory) -> None:
    add(person, "first", "the gateway port of the cluster", port("80"))
    add(person, "second", "the port that the gateway has", port("90"))
    new = draft(
        id="third",
        description="what the gateway listens to, said once more",
        remembered_facts=[port("100"), port("70", status="deprecated")],
    )
    assert person.create(new).notes == (
        "'third' says of 'the port' something else than 'first', 'second'; set the status of the "
        "fact that does not hold to deprecated, or link the two with contradicts",
    )
    receipt = person.update("third", {"remembered_facts": [port("80")]})
    assert receipt.notes == (
        "'third' says of 'the port' something else than 'second'; set the status of the fact that "
        "does not hold to deprecated, or link the two with contradicts",
    )
    person.link("third", "contradicts", "second", link_reason=REASON)
    assert person.update("third", {"pitfalls": ["one"]}).notes == ()
    assert person.update("third", {"remembered_facts": [port("70")]}).notes == (
        "'third' says of 'the port' something else than 'first'; set the status of the fact that "
        "does not hold to deprecated, or link the two with contradicts",
    )
