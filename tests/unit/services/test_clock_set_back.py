"""A clock that was ahead, and is set back by a year between two changes, spoils nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidDocument, NotFound, Unidentified
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.roles import Role
from project_memory.storage import open_storage

ADA = Actor("ada", Authority.USER)
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
YEAR = timedelta(days=365)


class Hand:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = NOW + YEAR

    def __call__(self) -> datetime:
        return self.time

    def back(self) -> None:
        self.time = NOW


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def memories(clock: Hand) -> Iterator[ProjectMemory]:
    """Return a store in which a memory was made and edited a year ahead."""
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=clock
    ) as opened:
        opened.create(draft(id="locked"))
        opened.update("locked", {"pitfalls": ["never under load"]})
        yield opened


def test_history_is_in_the_order_in_which_it_was_made(
    memories: ProjectMemory, clock: Hand
) -> None:
    clock.back()
    memories.update("locked", {"pitfalls": ["never twice"]})
    told = [(each.number, each.time[:4]) for each in memories.history().revisions]
    assert told == [(4, "2026"), (3, "2027"), (2, "2027"), (1, "2027")]
    assert memories.get("locked", as_of="2026-06-02").memory["pitfalls"] == ["never twice"]


def test_what_is_undone_is_the_latest_change_and_comes_back_to_the_byte(
    memories: ProjectMemory, clock: Hand
) -> None:
    before = memories.get("locked").memory
    clock.back()
    memories.update("locked", {"pitfalls": ["never twice"]})
    assert memories.undo().undoes == 4
    assert memories.get("locked").memory == before


def test_a_revalidation_under_the_right_clock_can_be_undone(
    memories: ProjectMemory, clock: Hand
) -> None:
    before = memories.get("locked").memory
    clock.back()
    memories.touch(["locked"])
    assert memories.get("locked").memory["evidence"]["last_validated"] == "2026-06-01"
    memories.undo()
    assert memories.get("locked").memory == before
    memories.touch(["locked"])
    memories.revert("locked", version=2)
    assert memories.get("locked").memory == before


def test_what_nobody_said_before_cannot_lie_ahead_all_the_same(
    memories: ProjectMemory, clock: Hand
) -> None:
    clock.back()
    ahead = {"evidence": {"last_validated": "2027-06-02"}}
    message = "'2027-06-02' lies ahead; write the day on which it was seen [future-date]"
    with pytest.raises(InvalidDocument) as caught:
        memories.update("locked", ahead)
    assert str(caught.value) == f"locked $.evidence.last_validated: {message}"
    with pytest.raises(InvalidDocument) as caught:
        memories.create(draft(id="other", description="Another lesson of another kind", **ahead))
    assert str(caught.value) == f"other $.evidence.last_validated: {message}"


def test_an_audit_names_what_was_validated_on_a_day_that_lies_ahead(
    memories: ProjectMemory, clock: Hand
) -> None:
    assert memories.audit(codes=["unvalidated"]).findings == ()
    clock.time = NOW + YEAR - timedelta(days=1)
    assert memories.audit(codes=["unvalidated"]).findings == ()
    clock.back()
    (found,) = memories.audit(codes=["unvalidated"]).findings
    assert (found.subject, found.message) == (
        "locked",
        "was last validated on 2027-06-01, which lies ahead; validate it again, today",
    )
    memories.touch(["locked"])
    assert memories.audit(codes=["unvalidated"]).findings == ()


def test_retention_counts_silence_neither_too_soon_nor_for_what_was_seen(
    memories: ProjectMemory, clock: Hand
) -> None:
    bot = ProjectMemory(memories._storage, "demo", Actor("bot", Authority.AGENT), clock)
    bot.create(draft(id="quiet", description="A lesson that no question ever needs"))
    clock.back()
    with memories._storage.write() as writer:
        writer.add_usage(1, "2026-05-01", {}, questions=10_000)
        writer.add_usage(1, "2027-07-01", {}, questions=10_000)
    bot.create(draft(id="other", description="Another lesson of another kind"))
    assert memories.audit(codes=["silent"]).findings == ()
    clock.time = NOW + timedelta(days=40)
    assert [f.subject for f in memories.audit(codes=["silent"]).findings] == ["other"]
    clock.time = NOW + YEAR + timedelta(days=40)
    assert [f.subject for f in memories.audit(codes=["silent"]).findings] == ["other", "quiet"]


def test_an_expired_fact_is_judged_by_the_day_that_it_is(
    memories: ProjectMemory, clock: Hand
) -> None:
    fact = {"fact": "the mirror is down until autumn", "expires": "2026-09-30"}
    memories.update("locked", {"remembered_facts": [fact]})
    assert [f.code for f in memories.audit(codes=["expired-fact"]).findings] == ["expired-fact"]
    clock.back()
    assert memories.audit(codes=["expired-fact"]).findings == ()


@pytest.fixture
def host(clock: Hand) -> Iterator[Host]:
    storage = open_storage("inmemory://", create=True)
    with storage.write() as writer:
        writer.put_project("demo")
    with Host(storage, clock=clock) as opened:
        yield opened


def test_a_token_is_not_accepted_long_before_it_was_made(host: Host, clock: Hand) -> None:
    issued = host.add_token("bot", role=Role.WRITER, projects=None, days=7)
    given = issued.token.encode()
    clock.time -= timedelta(minutes=5)  # another server's clock
    assert host.identify(given).name == "bot"
    clock.time -= timedelta(seconds=1)
    with pytest.raises(Unidentified):
        host.identify(given)
    clock.back()
    assert [one.state for one in host.tokens().tokens] == ["early"]
    host.revoke("bot")
    assert [one.state for one in host.tokens().tokens] == ["revoked"]
    clock.time = NOW + YEAR
    with pytest.raises(Unidentified):
        host.identify(given)


def test_what_was_revoked_stays_so(host: Host, clock: Hand) -> None:
    issued = host.add_token("bot", role=Role.WRITER, projects=None, days=700)
    host.revoke("bot")
    for _ in range(2):
        with pytest.raises(Unidentified):
            host.identify(issued.token.encode())
        clock.back()
    with pytest.raises(NotFound):
        host.revoke("bot")


def test_a_session_is_not_accepted_long_before_it_was_begun(host: Host, clock: Hand) -> None:
    vouching = Actor("root", Authority.USER)
    invited = host.invite("ada", role=Role.WRITER, projects=None, days=7, vouching=vouching)
    session = host.log_in_person(invited.code).session.encode()
    clock.time -= timedelta(minutes=5)  # another server's clock
    assert host.session(session).speaker.name == "ada"
    clock.time -= timedelta(seconds=1)
    with pytest.raises(Unidentified):
        host.session(session)


def test_a_code_does_not_live_on(host: Host, clock: Hand) -> None:
    code = host.invite("bot", role=Role.WRITER, projects=None, days=7).code
    clock.back()
    with pytest.raises(Unidentified) as caught:
        host.redeem(code)
    assert str(caught.value) == (
        "the code is not accepted: it is wrong, was redeemed before or is older than 15 minutes; "
        "ask an administrator for another"
    )
    clock.time = NOW + YEAR + timedelta(minutes=14)
    assert host.redeem(code).actor == "bot"


def test_a_session_of_the_servers_own_token_does_not_live_on(clock: Hand) -> None:
    shared = "0123456789abcdef0123456789abcdef"
    with Host(open_storage("inmemory://", create=True), shared_token=shared, clock=clock) as host:
        given = host.log_in(shared.encode()).session.encode()
        assert host.session(given).speaker.name
        clock.back()
        with pytest.raises(Unidentified) as caught:
            host.session(given)
        assert str(caught.value) == "the session has ended; log in again"
