"""Proposals by number and by state."""

from __future__ import annotations

from contextlib import suppress

import pytest

from project_memory.errors import InvalidInput
from project_memory.model import Actor, Authority
from project_memory.proposals import Decision, Proposal, State

BOT = Actor("bot", Authority.AGENT)
ADA = Actor("ada", Authority.USER)
NOW = "2026-01-31T09:30:00Z"


def proposal(number=1, **fields):
    return Proposal(number, BOT, NOW, 3, **{"operation": "note", "note": "a thought", **fields})


def put(storage, project, *proposals):
    with storage.write() as writer:
        for one in proposals:
            writer.put_proposal(project.key, one)


def test_a_proposal_comes_back_as_it_was(storage, project):
    whole = Proposal(
        number=1,
        actor=BOT,
        time=NOW,
        revision=7,
        operation="update",
        operations=({"op": "update", "id": "first", "patch": {"tags": ["é", "数据库"]}},),
        reason="the driver changed",
        because=("'first' is asserted by a person",),
        versions={"first": 4},
        state=State.APPLIED,
        skipped_at="2026-02-01T09:30:00Z",
        decision=Decision(ADA, "2026-02-02T09:30:00Z", "it is so", 8),
    )
    put(storage, project, whole)
    with storage.read() as reader:
        found = reader.proposal(project.key, 1)
    assert found == whole
    assert isinstance(found.state, State)
    assert isinstance(found.decision.actor.authority, Authority)


def test_an_absent_proposal_is_none(storage, project):
    put(storage, project, proposal(1))
    with storage.read() as reader:
        assert reader.proposal(project.key, 2) is None
        assert reader.proposal(project.key + 1, 1) is None
        assert list(reader.proposals(project.key + 1)) == []


def test_proposals_are_listed_by_number_and_by_state(storage, project):
    states = {1: State.REJECTED, 2: State.WAITING, 3: State.APPLIED, 10: State.WAITING}
    put(storage, project, *(proposal(n, state=states[n]) for n in (10, 3, 1, 2)))
    with storage.read() as reader:
        assert [one.number for one in reader.proposals(project.key)] == [1, 2, 3, 10]
        waiting = reader.proposals(project.key, State.WAITING)
        assert [one.number for one in waiting] == [2, 10]
        assert list(reader.proposals(project.key, State.WITHDRAWN)) == []


def test_a_proposal_is_replaced_by_its_number(storage, project):
    put(storage, project, proposal(1), proposal(1, state=State.WITHDRAWN))
    with storage.read() as reader:
        assert [one.state for one in reader.proposals(project.key)] == [State.WITHDRAWN]


def test_numbers_go_on_from_the_last_in_each_project(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
        assert writer.next_proposal(project.key) == 1
        writer.put_proposal(project.key, proposal(1))
        writer.put_proposal(project.key, proposal(2, state=State.REJECTED))
        assert writer.next_proposal(project.key) == 3
        assert writer.next_proposal(other.key) == 1


def test_a_transaction_that_fails_leaves_no_proposal(storage, project):
    with suppress(RuntimeError), storage.write() as writer:
        writer.put_proposal(project.key, proposal(1))
        raise RuntimeError
    with storage.read() as reader:
        assert list(reader.proposals(project.key)) == []


def test_a_lone_surrogate_is_refused(storage, project):
    with pytest.raises(InvalidInput) as error, storage.write() as writer:
        writer.put_proposal(project.key, proposal(1, note="half \ud800"))
    assert str(error.value) == (
        "text holds the lone surrogate '\\ud800', which cannot be stored; send valid Unicode"
    )
