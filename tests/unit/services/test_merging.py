"""A merge keeps all that was said and linked, once; undone, everything is as it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from factories import draft

from project_memory import documents, relations
from project_memory.app import ProjectMemory
from project_memory.errors import InvalidDocument, InvalidInput
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
NOW = datetime(2026, 3, 4, tzinfo=UTC)
REASON = "both were met in the same outage"
KINDS = tuple(relations.KINDS)
CODES = ("duplicate", "near-duplicate")


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    # the clock stands still: of equals, what was edited later would be the more credible
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: NOW
    ) as opened:
        yield opened


def made(memory: ProjectMemory, name: str, **fields: Any) -> None:
    said = {"description": f"the lesson that is called {name} here", **fields}
    memory.create(draft(id=name, **said), allow_duplicate=True)


def links(memory: ProjectMemory, name: str) -> set[tuple[str, str]]:
    return {(link.kind, link.target) for link in documents.links(memory.get(name).memory)}


def texts(memory: ProjectMemory) -> dict[str, str]:
    return {name: documents.to_text(memory.get(name).memory) for name in memory.memory_ids()}


def test_links_of_every_kind_lead_to_the_survivor_in_both_directions(
    memory: ProjectMemory,
) -> None:
    for name in ("victim", "survivor", *(f"other-{kind}".replace("_", "-") for kind in KINDS)):
        made(memory, name)
    for kind in KINDS:
        memory.link("victim", kind, f"other-{kind}".replace("_", "-"), link_reason=REASON)
    before = texts(memory)
    memory.merge("victim", "survivor")
    repointed = {(kind, f"other-{kind}".replace("_", "-")) for kind in KINDS} - {
        ("superseded_by", "other-superseded-by")
    }
    assert links(memory, "survivor") == {*repointed, ("supersedes", "victim")}
    for kind, other in repointed:
        assert links(memory, other) == {(relations.KINDS[kind].inverse, "survivor")}
    assert links(memory, "victim") == {
        ("superseded_by", "other-superseded-by"),
        ("superseded_by", "survivor"),
    }
    memory.undo()
    assert texts(memory) == before


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_linked_the_two_is_gone_and_never_leads_to_itself(
    memory: ProjectMemory, kind: str
) -> None:
    made(memory, "victim")
    made(memory, "survivor")
    memory.link("victim", kind, "survivor", link_reason=REASON)
    memory.merge("victim", "survivor")
    assert links(memory, "survivor") == {("supersedes", "victim")}
    assert links(memory, "victim") == {("superseded_by", "survivor")}
    assert memory.validate().ok


def test_a_neighbour_of_both_is_linked_once(memory: ProjectMemory) -> None:
    for name in ("victim", "survivor", "other"):
        made(memory, name)
    memory.link("victim", "related", "other", link_reason=REASON)
    memory.link("survivor", "related", "other", link_reason="told by the survivor itself")
    memory.merge("victim", "survivor")
    (link,) = (k for k in documents.links(memory.get("survivor").memory) if k.kind == "related")
    assert (link.target, link.reason) == ("other", "told by the survivor itself")


def test_a_long_chain_of_merges_ends_in_the_last_and_is_undone_step_by_step(
    memory: ProjectMemory,
) -> None:
    names = [f"lesson-{number:02d}" for number in range(30)]
    for name in (*names, "neighbour"):
        made(memory, name)
    memory.link(names[0], "depends_on", "neighbour")
    states = []
    for victim, survivor in pairwise(names):
        states.append(texts(memory))
        memory.merge(victim, survivor)
    assert memory.get(names[0]).superseded_by == (names[-1],)
    assert links(memory, "neighbour") == {("required_by", names[-1])}
    assert memory.validate().ok
    while states:
        memory.undo()
        assert texts(memory) == states.pop()


def test_a_chain_merged_the_other_way_keeps_one_current_end(memory: ProjectMemory) -> None:
    for name in ("old", "middle", "new"):
        made(memory, name)
    memory.link("middle", "supersedes", "old")
    memory.link("new", "supersedes", "middle")
    memory.merge("middle", "new")
    assert memory.get("old").superseded_by == ("new",)
    assert links(memory, "old") == {("superseded_by", "new")}


def test_a_merge_that_would_close_a_cycle_leaves_no_trace(memory: ProjectMemory) -> None:
    for name in ("first", "second", "third"):
        made(memory, name)
    memory.link("second", "supersedes", "first")
    memory.link("third", "supersedes", "second")
    before = texts(memory)
    with pytest.raises(InvalidDocument):
        memory.merge("third", "first")
    assert texts(memory) == before


@pytest.mark.parametrize("state", ["archived", "wrong"])
def test_nothing_is_merged_into_what_could_not_stand_in_for_it(
    memory: ProjectMemory, state: str
) -> None:
    made(memory, "victim")
    made(memory, "survivor")
    if state == "archived":
        memory.archive("survivor")
    else:
        memory.set_status("survivor", "wrong", reason="it does not hold")
    with pytest.raises(InvalidInput) as caught:
        memory.merge("victim", "survivor")
    assert str(caught.value) == (
        f"'survivor' is {state} and cannot stand in for 'victim'; merge it into that one instead"
    )


def test_what_both_say_in_two_spellings_is_kept_once(memory: ProjectMemory) -> None:
    fact = {"fact": "WAL keeps readers going", "status": "assumption"}
    made(
        memory,
        "victim",
        description="THE LESSON that is called survivor here",
        triggers=["Database is  locked", "busy"],
        remembered_facts=[fact, "a second fact"],
    )
    made(
        memory,
        "survivor",
        triggers=["database is locked"],
        remembered_facts=["wal keeps readers  going"],
    )
    memory.merge("victim", "survivor")
    merged = memory.get("survivor").memory
    assert merged["triggers"] == ["database is locked", "busy"]
    assert merged["remembered_facts"] == [fact, "a second fact"]


def test_of_a_prefix_that_allows_one_label_the_survivor_keeps_its_own(
    memory: ProjectMemory,
) -> None:
    memory.set_single("kind")
    made(memory, "victim", labels=["kind:bug", "context:build"])
    made(memory, "survivor", labels=["kind:lesson"])
    memory.merge("victim", "survivor")
    assert memory.get("survivor").memory["labels"] == ["context:build", "kind:lesson"]


def test_a_former_id_of_the_victim_says_what_to_read_instead(memory: ProjectMemory) -> None:
    made(memory, "first-name")
    made(memory, "survivor")
    memory.rename("first-name", "victim")
    memory.merge("victim", "survivor")
    found = memory.get("first-name")
    assert (found.redirected_from, found.superseded_by) == ("first-name", ("survivor",))


def test_an_applied_audit_merges_twins_into_the_most_credible_and_is_undone_to_the_byte(
    memory: ProjectMemory,
) -> None:
    text = "Writers on one SQLite file see 'database is locked' under load"
    made(memory, "aaa", description=text)
    made(memory, "bbb", description=f"{text} now")
    made(memory, "ccc", description=text.upper())
    made(memory, "neighbour")
    memory.link("ccc", "depends_on", "neighbour")
    before = texts(memory)
    report = memory.apply_findings(memory.audit(codes=CODES, limits={"max_actions": 9}))
    assert [finding.subject for finding in report.findings] == ["ccc", "bbb"]
    assert links(memory, "aaa") == {
        ("supersedes", "bbb"),
        ("supersedes", "ccc"),
        ("depends_on", "neighbour"),
    }
    assert memory.validate().ok
    assert memory.audit(codes=CODES).findings == ()
    memory.undo()
    assert texts(memory) == before
