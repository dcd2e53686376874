"""Applying an audit: one transaction, within its limit, undone to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from factories import draft

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.errors import Conflict, InvalidDocument
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def memories() -> Iterator[ProjectMemory]:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: NOW
    ) as opened:
        yield opened


def add(memories: ProjectMemory, *names: str) -> None:
    for name in names:
        memories.create(
            draft(id=name, description=f"what is known of {name} as it was last winter")
        )


def pairs(memories: ProjectMemory, count: int) -> None:
    """Add memories of which each second one supersedes the one before."""
    for number in range(count):
        add(memories, f"old-{number}", f"new-{number}")
        memories.link(f"new-{number}", "supersedes", f"old-{number}")


def documents_of(memories: ProjectMemory) -> dict[str, str]:
    return {name: documents.to_text(memories.get(name).memory) for name in memories.memory_ids()}


def archived(memories: ProjectMemory) -> list[str]:
    return [
        name for name in memories.memory_ids() if memories.get(name).meta.archived_at is not None
    ]


def applied(memories: ProjectMemory, **asked: Any) -> Any:
    report = memories.apply_findings(memories.audit(**asked))
    assert report.applied is not None
    return report.applied


def test_what_was_found_is_done_as_one_revision_that_undo_takes_back(memories) -> None:
    pairs(memories, 10)
    memories.add_label("area:lake")
    before = documents_of(memories)
    revision = memories.stats().store.revision
    done = applied(memories)
    assert archived(memories) == ["old-0"]
    assert [finding.subject for finding in done.findings] == ["area:lake", "old-0"]
    assert (done.left, done.limit) == (9, 2)
    assert done.undo == f"project-memory undo --revision {revision + 1}"
    assert memories.stats().store.revision == revision + 1
    memories.undo(revision=revision + 1)
    assert documents_of(memories) == before
    assert archived(memories) == []
    assert "area:lake" in {
        entry.label for group in memories.labels().groups for entry in group.labels
    }


def test_the_policy_can_allow_more(memories) -> None:
    pairs(memories, 3)
    done = applied(memories, limits={"max_actions": 2})
    assert ([finding.subject for finding in done.findings], done.left) == (["old-0", "old-1"], 1)


def test_a_dry_run_says_the_same_and_does_nothing(memories) -> None:
    pairs(memories, 1)
    before = documents_of(memories)
    report = memories.apply_findings(memories.audit(), dry_run=True)
    assert [finding.subject for finding in report.applied.findings] == ["old-0"]
    assert [(t.id, t.change) for t in report.applied.receipt.memories] == [("old-0", "archived")]
    assert report.applied.undo is None
    assert (documents_of(memories), archived(memories)) == (before, [])


def test_nothing_is_done_when_the_project_has_moved(memories) -> None:
    pairs(memories, 1)
    report = memories.audit()
    add(memories, "meanwhile")
    with pytest.raises(Conflict) as caught:
        memories.apply_findings(report)
    revision = report.store.revision
    assert str(caught.value) == (
        f"'demo' is at revision {revision + 1} and was audited at {revision}; audit it again"
    )
    assert archived(memories) == []


def test_an_audit_that_found_nothing_changes_nothing(memories) -> None:
    add(memories, "lake")
    revision = memories.stats().store.revision
    done = applied(memories)
    assert (done.findings, done.left, done.undo) == ((), 0, None)
    assert memories.stats().store.revision == revision


def test_audits_until_nothing_is_left_never_take_the_last_of_a_chain(memories) -> None:
    names = [f"link-{number}" for number in range(6)]
    add(memories, *names)
    for old, new in pairwise(names):
        memories.link(new, "supersedes", old)
    while applied(memories, limits={"max_actions": 50}).findings:
        pass
    gone = archived(memories)
    assert "link-0" in gone
    assert "link-5" not in gone
    # brought back, the oldest is still shown as what it is
    for name in gone:
        memories.unarchive(name)
        assert memories.get(name).memory["status"] == "superseded"
        memories.archive(name)


BOT = Actor("bot", Authority.AGENT)
TEXT = "the pool hands out a closed connection after the proxy restarts under load"


@pytest.fixture
def bot(memories: ProjectMemory) -> ProjectMemory:
    return ProjectMemory(memories._storage, "demo", BOT, lambda: NOW)


@pytest.mark.parametrize(
    "beyond",
    [
        {"description": f"{TEXT} today"},
        {"pitfalls": ["switch the signature check off"]},
        {"tags": ["theirs"]},
        {"scope": {"files": ["theirs.py"]}},
        {"relationships": {"related": [{"id": "aside", "reason": "switch the check off"}]}},
    ],
)
def test_no_audit_puts_an_agents_words_into_what_a_person_asserts(
    memories: ProjectMemory, bot: ProjectMemory, beyond: dict[str, Any]
) -> None:
    add(memories, "aside")
    memories.create(draft(id="mine", description=TEXT))
    bot.create({**draft(id="theirs", description=TEXT), **beyond}, allow_duplicate=True)
    report = memories.audit()
    (twin,) = [finding for finding in report.findings if finding.code.endswith("duplicate")]
    assert (twin.subject, twin.evidence["twin"], twin.action) == ("theirs", "mine", None)
    before = memories.get("mine").memory
    applied(memories)
    assert memories.get("mine").memory == before


def test_an_agents_copy_that_says_no_more_is_merged_into_a_persons_memory(
    memories: ProjectMemory, bot: ProjectMemory
) -> None:
    memories.create(draft(id="mine", description=TEXT))
    bot.create(draft(id="theirs", description=TEXT), allow_duplicate=True)
    applied(memories)
    assert archived(memories) == ["theirs"]
    assert memories.get("mine").memory["triggers"] == []


def test_who_lets_an_audit_act_does_not_speak_for_the_texts_that_it_changes(
    memories: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.create(draft(id="one", description=TEXT))
    bot.create(draft(id="other", description=f"{TEXT} today", pitfalls=["switch it off"]))
    applied(memories)
    (kept,) = set(memories.memory_ids()) - set(archived(memories))
    found = memories.get(kept)
    assert (found.memory["pitfalls"], found.meta.asserted_by) == (["switch it off"], "agent")


def test_what_cannot_be_put_right_is_named_and_nothing_is_done(memories: ProjectMemory) -> None:
    memories.create(draft(id="one", description=TEXT))
    memories.create(draft(id="other", description=f"{TEXT} today"))
    add(memories, "between")
    (twin,) = memories.audit(codes=["near-duplicate"]).findings
    survivor = twin.evidence["twin"]
    memories.link(twin.subject, "depends_on", "between")
    memories.link("between", "depends_on", survivor)
    before = documents_of(memories)
    with pytest.raises(InvalidDocument) as caught:
        applied(memories)
    assert caught.value.__notes__ == [
        f"nothing was done, since near-duplicate of '{twin.subject}' cannot be put right as "
        "proposed; do it by hand, or leave such findings with --ignore near-duplicate"
    ]
    assert documents_of(memories) == before
