"""What a person must decide waits, is decided against the present state, and is never lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import (
    Conflict,
    Forbidden,
    InvalidDocument,
    InvalidInput,
    NotFound,
    ProjectMemoryError,
    ProposalConflict,
    SecretFound,
    UnknownLabel,
    VersionConflict,
)
from project_memory.model import Actor, Authority
from project_memory.proposals import State

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
REASON = "both fail when two writers meet"
# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: NOW
    ) as opened:
        opened.create(draft(id="first"))
        yield opened


@pytest.fixture
def bot(memory: ProjectMemory) -> ProjectMemory:
    return speaking(memory, BOT)


def speaking(memory: ProjectMemory, actor: Actor) -> ProjectMemory:
    return ProjectMemory(memory._storage, "demo", actor, lambda: NOW)


def second(**fields: object) -> dict[str, object]:
    return draft(id="second", description="a lesson that an agent would like to add", **fields)


def waiting(memory: ProjectMemory) -> list[int]:
    return [proposal.number for proposal in memory.inbox().proposals]


# -- a project that reviews what agents write ----------------------------------------------------


CHANGES = {
    "create": lambda m: m.create(second()),
    "update": lambda m: m.update("first", {"pitfalls": ["one"]}),
    "link": lambda m: m.link("first", "causes", "other"),
    "unlink": lambda m: m.unlink("first", "related", "other"),
    "status": lambda m: m.set_status("first", "stale", reason="the driver changed"),
    "archive": lambda m: m.archive("first"),
    "pin": lambda m: m.pin("first"),
    "delete": lambda m: m.delete("first"),
    "rename": lambda m: m.rename("first", "premier"),
    "merge": lambda m: m.merge("first", "other"),
    "revert": lambda m: m.revert("first", version=1),
    "apply": lambda m: m.apply([{"op": "pin", "id": "first"}, {"op": "archive", "id": "other"}]),
    "add-label": lambda m: m.add_label("area:storage", description="on disk"),
}


@pytest.fixture
def reviewed(memory: ProjectMemory) -> ProjectMemory:
    memory.update("first", {"triggers": ["locked"]})
    memory.create(draft(id="other", description="another lesson of the same project"))
    memory.link("first", "related", "other", link_reason=REASON)
    memory.configure({"writes": "review"})
    return memory


@pytest.mark.parametrize("operation", CHANGES)
def test_every_change_of_an_agent_waits_and_a_person_can_apply_it(
    reviewed: ProjectMemory, operation: str
) -> None:
    before = reviewed.history().revisions[0].number
    receipt = CHANGES[operation](speaking(reviewed, BOT))
    assert (receipt.operation, receipt.proposals, receipt.memories) == (operation, (1,), ())
    assert receipt.revision == before == reviewed.history().revisions[0].number
    assert receipt.notes[0] == (
        "kept as proposal 1 for a person to decide, because this project reviews what agents write"
    )
    applied = reviewed.apply_proposal(1)
    assert (applied.proposals, applied.revision) == ((1,), before + 1)
    assert applied.memories or applied.labels
    assert reviewed.history().revisions[0].reason.startswith("proposal 1 of 'bot'")
    assert waiting(reviewed) == []


def test_what_a_person_writes_is_done_at_once(reviewed: ProjectMemory) -> None:
    assert reviewed.create(second()).memories[0].id == "second"


def test_an_agents_proposal_is_checked_at_once(reviewed: ProjectMemory) -> None:
    bot = speaking(reviewed, BOT)
    with pytest.raises(InvalidDocument):
        bot.create({"description": "short"})
    with pytest.raises(UnknownLabel):
        bot.create(second(labels=["area:nowhere"]))
    with pytest.raises(SecretFound):
        bot.update("first", {"pitfalls": [TOKEN]})
    with pytest.raises(VersionConflict):
        bot.update("first", {"pitfalls": ["one"]}, if_version=9)
    with pytest.raises(NotFound):
        bot.archive("nothing")
    assert waiting(reviewed) == []


def test_no_secret_hides_in_an_operation_that_another_takes_back(reviewed: ProjectMemory) -> None:
    bot = speaking(reviewed, BOT)
    with pytest.raises(SecretFound) as caught:
        bot.apply([
            {"op": "update", "id": "first", "patch": {"pitfalls": [TOKEN]}},
            {"op": "update", "id": "first", "patch": {"pitfalls": ["none"]}},
        ])  # fmt: skip
    assert caught.value.findings == (("operation 0 $.patch.pitfalls[0]", "github-token"),)


def test_a_dry_run_keeps_no_proposal(reviewed: ProjectMemory) -> None:
    receipt = speaking(reviewed, BOT).archive("first", dry_run=True)
    assert (receipt.dry_run, receipt.proposals, waiting(reviewed)) == (True, (), [])
    assert receipt.notes == (
        "it would be kept as a proposal for a person to decide, because this project reviews "
        "what agents write",
        "nothing is changed until then; it is about 'first'",
    )


def test_the_same_proposal_made_again_is_the_one_that_waits(reviewed: ProjectMemory) -> None:
    bot = speaking(reviewed, BOT)
    assert bot.archive("first").proposals == (1,)
    again = bot.archive("first")
    assert again.proposals == (1,)
    assert "it waits already, as proposal 1" in again.notes
    assert speaking(reviewed, Actor("other", Authority.AGENT)).archive("first").proposals == (2,)


def test_what_changes_nothing_is_no_proposal(reviewed: ProjectMemory) -> None:
    receipt = speaking(reviewed, BOT).unpin("first")
    assert (receipt.proposals, receipt.notes) == ((), ("nothing changed",))


def test_what_cannot_be_proposed_is_refused(reviewed: ProjectMemory, tmp_path) -> None:
    reviewed.export_directory(tmp_path)
    reviewed.delete("other")
    with pytest.raises(Forbidden) as caught:
        speaking(reviewed, BOT).import_path(tmp_path)
    assert str(caught.value) == (
        "'import' is for a person to do, at a terminal, because this project reviews what agents "
        "write"
    )


# -- what a person asserted, in any project ------------------------------------------------------


def test_an_agents_edit_of_what_a_person_asserted_waits(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    receipt = bot.update("first", {"pitfalls": ["one"]}, reason="seen in the log")
    assert receipt.notes == (
        "kept as proposal 1 for a person to decide, because 'first' is asserted by a person",
        "nothing is changed until then; it is about 'first'",
    )
    reading = memory.get("first")
    assert (reading.memory["pitfalls"], reading.meta.version) == ([], 1)
    memory.apply_proposal(1, reason="it is so")
    reading = memory.get("first")
    assert (reading.memory["pitfalls"], reading.meta.asserted_by) == (["one"], "user")
    assert memory.history().revisions[0].reason == (
        "proposal 1 of 'bot': seen in the log: it is so"
    )


RETIREMENTS = {
    "delete": lambda m: m.delete("first"),
    "archive": lambda m: m.archive("first"),
    "wrong": lambda m: m.set_status("first", "wrong", reason="a test showed it"),
    "supersede": lambda m: m.link("second", "supersedes", "first"),
    "supersede from the other side": lambda m: m.link("first", "superseded_by", "second"),
    "merge": lambda m: m.merge("first", "second"),
    "merge into": lambda m: m.merge("second", "first"),
    "rename": lambda m: m.rename("first", "premier"),
    "unpin": lambda m: m.unpin("first"),
    "revert": lambda m: m.revert("first", version=1),
    "batch": lambda m: m.apply([{"op": "delete", "id": "first"}]),
    "create a successor": lambda m: m.create(
        draft(
            id="third",
            description="what would take the place of it",
            relationships={"supersedes": ["first"]},
        )
    ),
}


@pytest.mark.parametrize("way", RETIREMENTS)
def test_an_agent_retires_nothing_that_a_person_asserted(
    memory: ProjectMemory, bot: ProjectMemory, way: str
) -> None:
    bot.create(second())
    memory.update("first", {"triggers": ["locked"]})
    memory.pin("first")
    before = memory.get("first")
    receipt = RETIREMENTS[way](bot)
    assert receipt.proposals == (1,)
    after = memory.get("first")
    assert (after.memory, after.meta.version) == (before.memory, before.meta.version)
    assert after.meta.asserted_by == "user"


def test_an_agent_may_link_its_own_memory_to_a_persons(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.create(second(relationships={"related": [{"id": "first", "reason": REASON}]}))
    bot.link("second", "contradicts", "first", link_reason="the log says the opposite of it")
    bot.rename("second", "deuxieme")
    bot.unlink("deuxieme", "contradicts", "first")
    bot.delete("deuxieme")
    assert waiting(memory) == []
    assert memory.get("first").meta.asserted_by == "user"


def test_an_agent_takes_no_link_from_a_persons_memory_and_gives_it_no_other_reason(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.create(second())
    memory.link("first", "related", "second", link_reason=REASON)
    assert bot.unlink("second", "related", "first").proposals == (1,)
    other = "what no person ever said about the two"
    assert bot.link("second", "related", "first", link_reason=other).proposals == (2,)
    held = memory.get("first").memory["relationships"]["related"]
    assert held == [{"id": "second", "reason": REASON}]


def test_what_a_person_superseded_no_agent_revives(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.create(second())
    memory.link("second", "supersedes", "first")
    for change in (bot.delete, bot.archive):
        assert change("second").proposals
    assert bot.set_status("second", "wrong", reason="it was not so").proposals
    assert memory.get("first").memory["status"] == "superseded"


@pytest.mark.parametrize(
    ("fields", "named"),
    [({"standing": True}, "standing"), ({"scope": {"reach": "everywhere"}}, "scope.reach")],
)
def test_what_every_session_gets_a_person_must_approve(
    memory: ProjectMemory, bot: ProjectMemory, fields: dict, named: str
) -> None:
    receipt = bot.create(second(**fields))
    assert receipt.notes[0] == (
        f"kept as proposal 1 for a person to decide, because {named} of 'second' can be set only "
        "by a person"
    )
    bot.create(draft(id="third", description="a lesson of no great reach at first"))
    assert bot.update("third", fields).proposals == (2,)
    memory.apply_proposal(1)
    memory.apply_proposal(2)
    assert {memory.get(n).meta.asserted_by for n in ("second", "third")} == {"user"}


def test_a_standing_rule_waits_even_where_edits_demote(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    memory.configure({"agent_edits": "demote"})
    memory.create(second(standing=True))
    receipt = bot.update("second", {"pitfalls": ["what an agent made up"]})
    assert receipt.notes[0] == (
        "kept as proposal 1 for a person to decide, because 'second' has standing from a person"
    )
    assert bot.update("second", {"standing": False}).proposals == (2,)
    assert not bot.update("first", {"pitfalls": ["one"]}).proposals


# -- deciding ------------------------------------------------------------------------------------


def test_what_has_changed_since_is_shown_field_by_field(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.update("first", {"pitfalls": ["the agent's"], "tags": ["theirs"]})
    memory.update("first", {"pitfalls": ["ada's"], "triggers": ["locked"]})
    expected = {"first": {"pitfalls": [[], ["ada's"], ["the agent's"]]}}
    assert memory.proposal(1).conflicts == expected
    with pytest.raises(ProposalConflict) as caught:
        memory.apply_proposal(1)
    assert caught.value.conflicts == expected
    assert str(caught.value) == (
        "proposal 1 was made before others changed the same ('first': pitfalls); "
        "`project-memory review show 1` shows both, apply it all the same with --anyway, or "
        "reject it"
    )
    assert waiting(memory) == [1]
    memory.apply_proposal(1, anyway=True)
    found = memory.get("first").memory
    assert (found["pitfalls"], found["triggers"]) == (["the agent's"], ["locked"])


def test_changes_of_other_fields_are_no_conflict(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.update("first", {"pitfalls": ["the agent's"]}, if_version=1)
    memory.update("first", {"triggers": ["locked"]})
    memory.apply_proposal(1)
    found = memory.get("first").memory
    assert (found["pitfalls"], found["triggers"]) == (["the agent's"], ["locked"])


CLAIMS = ({"standing": True}, {"scope": {"reach": "everywhere"}})


@pytest.mark.parametrize("claim", CLAIMS)
def test_no_agent_puts_other_words_under_a_persons_yes(
    memory: ProjectMemory, bot: ProjectMemory, claim: dict[str, object]
) -> None:
    bot.create(second())
    bot.update("second", claim)
    bot.update("second", {"remembered_facts": ["what nobody looked at"]})
    with pytest.raises(ProposalConflict):
        memory.apply_proposal(1)
    old = second()["remembered_facts"]
    assert memory.proposal(1).conflicts == {
        "second": {"remembered_facts": [old, ["what nobody looked at"], ["what nobody looked at"]]}
    }
    assert memory.get("second").meta.asserted_by == "agent"


def test_no_agent_puts_another_memory_under_a_persons_yes(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.create(second())
    bot.update("second", {"standing": True})
    bot.delete("second")
    bot.create({**second(), "description": "another lesson under the same name"})
    with pytest.raises(ProposalConflict):
        memory.apply_proposal(1)
    assert list(memory.proposal(1).conflicts["second"]) == ["description"]


@pytest.mark.parametrize("there", [True, False])
def test_no_agent_puts_other_words_under_what_it_imported(
    memory: ProjectMemory, bot: ProjectMemory, tmp_path, there: bool
) -> None:
    memory.create(second(standing=True))
    memory.export_directory(tmp_path / "exported")
    memory.delete("second")
    if there:
        bot.create(second())
    bot.import_path(tmp_path / "exported")
    bot.update("second", {"remembered_facts": ["what nobody looked at"]})
    with pytest.raises(ProposalConflict):
        memory.apply_proposal(1)
    assert list(memory.proposal(1).conflicts["second"]) == ["remembered_facts"]


def test_a_review_shows_the_whole_text_that_a_yes_makes_a_persons_word(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.create(second())
    bot.update("second", {"standing": True})
    (effect,) = memory.proposal(1).effects
    assert effect.fields == {"standing": [None, True]}
    written = memory.get("second").memory
    assert effect.vouched == {
        name: written[name]
        for name in ("description", "labels", "scope", "remembered_facts", "evidence")
    }
    bot.update("first", {"pitfalls": ["the agent's"]})
    assert memory.proposal(2).effects[0].vouched == {}


@pytest.mark.parametrize("way", ["delete", "archive"])
def test_what_was_edited_since_is_not_taken_away_unseen(
    memory: ProjectMemory, bot: ProjectMemory, way: str
) -> None:
    getattr(bot, way)("first")
    memory.update("first", {"triggers": ["locked"]})
    with pytest.raises(ProposalConflict):
        memory.apply_proposal(1)
    assert list(memory.proposal(1).conflicts["first"]) == ["triggers"]


def test_a_renamed_memory_is_still_compared(memory: ProjectMemory, bot: ProjectMemory) -> None:
    bot.update("first", {"pitfalls": ["the agent's"]})
    memory.rename("first", "premier")
    memory.update("premier", {"pitfalls": ["ada's"]})
    with pytest.raises(ProposalConflict):
        memory.apply_proposal(1)
    memory.apply_proposal(1, anyway=True)
    assert memory.get("premier").memory["pitfalls"] == ["the agent's"]


def test_what_can_no_longer_be_done_waits_on(memory: ProjectMemory, bot: ProjectMemory) -> None:
    bot.update("first", {"pitfalls": ["one"]})
    memory.delete("first")
    message = "in operation 0: no memory 'first'; list ids with `project-memory list`"
    assert memory.proposal(1).obstacle == message
    with pytest.raises(NotFound):
        memory.apply_proposal(1)
    assert waiting(memory) == [1]


def test_a_review_shows_what_would_change(memory: ProjectMemory, bot: ProjectMemory) -> None:
    bot.update("first", {"pitfalls": ["one"]}, reason="seen in the log")
    review = memory.proposal(1)
    (effect,) = review.effects
    assert (effect.id, effect.change) == ("first", "updated")
    assert effect.fields == {"pitfalls": [[], ["one"]]}
    assert (review.proposal.reason, review.proposal.versions) == ("seen in the log", {"first": 1})
    assert memory.get("first").memory["pitfalls"] == []


def test_a_skipped_proposal_waits_behind_all_others(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.note("a thought")
    bot.note("another one")
    text = memory.proposal(1).proposal.note
    memory.skip(1)
    assert waiting(memory) == [2, 1]
    assert memory.proposal(1).proposal.note == text


def test_skipping_keeps_a_conflict(memory: ProjectMemory, bot: ProjectMemory) -> None:
    bot.update("first", {"pitfalls": ["one"]})
    memory.update("first", {"pitfalls": ["another"]})
    before = memory.proposal(1)
    assert list(before.conflicts) == ["first"]
    memory.skip(1)
    after = memory.proposal(1)
    assert (after.conflicts, after.proposal.operations, after.proposal.versions) == (
        before.conflicts,
        before.proposal.operations,
        before.proposal.versions,
    )
    with pytest.raises(Conflict):
        memory.apply_proposal(1)
    assert memory.get("first").memory["pitfalls"] == ["another"]


def test_what_was_applied_and_taken_back_waits_again(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.update("first", {"pitfalls": ["one"]})
    memory.apply_proposal(1)
    assert memory.undo(dry_run=True).notes == ("proposal 1 waits again",)
    assert waiting(memory) == []
    assert memory.undo().notes == ("proposal 1 waits again",)
    assert waiting(memory) == [1]
    assert memory.proposal(1).conflicts == {}
    memory.apply_proposal(1)
    assert memory.get("first").memory["pitfalls"] == ["one"]


def test_a_note_whose_memory_is_taken_back_waits_again(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.note("the fixture hangs")
    bot.apply_proposal(1, draft=second())
    bot.undo()
    assert waiting(memory) == [1]
    assert memory.proposal(1).proposal.note == "the fixture hangs"


def test_a_rejected_proposal_is_kept_with_who_and_why(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.archive("first")
    memory.reject(1, reason="it is still so")
    (kept,) = memory.inbox(State.REJECTED).proposals
    assert (kept.decision.actor, kept.decision.reason) == (ADA, "it is still so")
    assert kept.operations == ({"op": "archive", "id": "first"},)
    for decide in (memory.apply_proposal, memory.reject, memory.skip):
        with pytest.raises(Conflict) as caught:
            decide(1)
        assert str(caught.value) == (
            "proposal 1 was rejected by 'ada' at 2026-03-01T12:00:00Z; "
            "`project-memory review list` shows those that wait"
        )


def test_an_unknown_proposal_is_named(memory: ProjectMemory) -> None:
    for decide in (memory.apply_proposal, memory.reject, memory.skip, memory.proposal):
        with pytest.raises(NotFound) as caught:
            decide(7)
        assert str(caught.value) == (
            "no proposal 7; `project-memory review list` shows those that wait"
        )


def test_an_agent_decides_nothing_but_its_own(memory: ProjectMemory, bot: ProjectMemory) -> None:
    other = speaking(memory, Actor("other", Authority.AGENT))
    namesake = speaking(memory, Actor("ada", Authority.AGENT))
    bot.archive("first")
    memory.note("what ada thought")
    for agent in (bot, other, namesake):
        with pytest.raises(Forbidden) as caught:
            agent.apply_proposal(1)
        assert str(caught.value) == (
            "proposal 1 is for a person to apply, at a terminal with "
            "`project-memory review apply 1`"
        )
        with pytest.raises(Forbidden, match="only a person can put a proposal off"):
            agent.skip(1)
    for agent, number in ((other, 1), (namesake, 1), (bot, 2), (namesake, 2)):
        with pytest.raises(Forbidden) as caught:
            agent.reject(number)
        assert str(caught.value) == (
            f"proposal {number} is for a person to decide, at a terminal with "
            f"`project-memory review reject {number}`"
        )
    bot.reject(1)
    assert memory.proposal(1).proposal.state is State.WITHDRAWN


# -- undo ----------------------------------------------------------------------------------------


def test_undo_withdraws_the_proposal_that_was_the_last_change(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    bot.create(second())
    bot.archive("first")
    receipt = bot.undo()
    assert receipt.notes == ("proposal 1 of 'bot' is withdrawn",)
    assert memory.get("second")
    bot.undo()
    with pytest.raises(NotFound):
        memory.get("second")


def test_undo_takes_back_a_later_change_first(memory: ProjectMemory, bot: ProjectMemory) -> None:
    bot.archive("first")
    bot.create(second())
    bot.undo()
    assert waiting(memory) == [1]


# -- notes ---------------------------------------------------------------------------------------


def test_a_note_waits_and_becomes_a_memory(memory: ProjectMemory, bot: ProjectMemory) -> None:
    receipt = memory.note("  the fixture hangs when 8080 is taken \n")
    assert (receipt.operation, receipt.proposals) == ("note", (1,))
    assert memory.proposal(1).proposal.note == "the fixture hangs when 8080 is taken"
    with pytest.raises(InvalidInput) as caught:
        memory.apply_proposal(1)
    assert str(caught.value) == (
        "proposal 1 is a note; give the draft of the memory that it becomes (--draft)"
    )
    bot.apply_proposal(1, draft=second())
    meta = memory.get("second").meta
    assert (meta.author, meta.asserted_by) == ("bot", "agent")
    assert waiting(memory) == []


def test_an_agent_makes_no_memory_of_a_note_where_its_writes_are_reviewed(
    memory: ProjectMemory, bot: ProjectMemory
) -> None:
    memory.configure({"writes": "review"})
    assert bot.note("a thought").proposals == (1,)
    with pytest.raises(Forbidden):
        bot.apply_proposal(1, draft=second())


def test_a_draft_goes_with_a_note_only(memory: ProjectMemory, bot: ProjectMemory) -> None:
    bot.archive("first")
    with pytest.raises(InvalidInput) as caught:
        memory.apply_proposal(1, draft=second())
    assert str(caught.value) == "proposal 1 is no note; apply it without a draft"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n", "the note cannot be kept: the text is blank"),
        ("a\x07b", "the note cannot be kept: control character U+0007"),
        ("x" * 8001, None),
        (f"the key is {TOKEN}", None),
    ],
)
def test_a_note_is_text_without_secrets(
    memory: ProjectMemory, text: str, message: str | None
) -> None:
    with pytest.raises(ProjectMemoryError) as caught:
        memory.note(text)
    assert message is None or str(caught.value) == message
    assert TOKEN not in str(caught.value)
    assert waiting(memory) == []


# -- settings ------------------------------------------------------------------------------------


def test_only_a_person_changes_settings(memory: ProjectMemory, bot: ProjectMemory) -> None:
    with pytest.raises(Forbidden) as caught:
        bot.configure({"writes": "direct"})
    assert str(caught.value) == (
        "only a person can change a project's settings; do it at a terminal"
    )


def test_settings_hold_no_secret(memory: ProjectMemory) -> None:
    with pytest.raises(SecretFound) as caught:
        memory.configure({"audit": {"protect": f"text:{TOKEN}"}})
    assert str(caught.value) == (
        "settings $.audit.protect looks like a secret (rule 'github-token'); say where the secret "
        "lives, not its value"
    )
    assert memory.project_info().settings == {}


def test_settings_are_checked_and_taken_back(memory: ProjectMemory) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.configure({"writes": "never", "write": "review"})
    assert str(caught.value) == (
        "$.write: unknown field 'write'; did you mean 'writes'?\n"
        "$.writes: 'never' is not one of 'direct', 'review'"
    )
    assert memory.configure({"writes": "review"}).settings == {"writes": "review"}
    assert memory.configure({"writes": None}).settings == {}
