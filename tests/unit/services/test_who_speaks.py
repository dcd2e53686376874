"""Where agents' edits are made at once, none passes for a person by taking a change back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import Conflict, Forbidden, MemoryExists, NotFound
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)
URL = "inmemory://"


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open(URL, project="demo", actor=ADA, create=True) as opened:
        opened.configure({"agent_edits": "demote"})
        opened.create(draft(id="first"))
        yield opened


def speaking(memory: ProjectMemory, actor: Actor) -> ProjectMemory:
    return ProjectMemory(memory._storage, "demo", actor)


def asserted(memory: ProjectMemory) -> str:
    return memory.get("first").meta.asserted_by


def test_an_agents_undo_of_its_own_edit_gives_the_text_back_to_its_person(
    memory: ProjectMemory,
) -> None:
    bot = speaking(memory, BOT)
    bot.update("first", {"pitfalls": ["a harmless one"]})
    bot.undo()
    assert asserted(memory) == "user"


@pytest.mark.parametrize("actor", [ADA, BOT])
def test_undoing_one_of_an_agents_edits_leaves_the_other_the_agents(
    memory: ProjectMemory, actor: Actor
) -> None:
    bot = speaking(memory, BOT)
    number = bot.update("first", {"pitfalls": ["a harmless one"]}).revision
    bot.update("first", {"remembered_facts": ["what no person ever said"]})
    speaking(memory, actor).undo(revision=number)
    assert asserted(memory) == "agent"


def test_what_a_person_corrected_comes_back_as_the_agents_word(memory: ProjectMemory) -> None:
    number = memory.update("first", {"remembered_facts": ["what ada found later"]}).revision
    speaking(memory, BOT).undo(revision=number)
    assert asserted(memory) == "agent"


def test_what_a_person_found_wrong_comes_back_as_the_agents_word(memory: ProjectMemory) -> None:
    number = memory.set_status("first", "wrong", reason="a test showed it").revision
    speaking(memory, BOT).undo(revision=number)
    assert asserted(memory) == "agent"


@pytest.mark.parametrize("way", ["undo", "revert"])
def test_what_a_person_deleted_comes_back_as_the_agents_word(
    memory: ProjectMemory, way: str
) -> None:
    number = memory.delete("first").revision
    bot = speaking(memory, BOT)
    bot.undo(revision=number) if way == "undo" else bot.revert("first", version=1)
    assert asserted(memory) == "agent"


def test_an_agent_of_its_persons_name_takes_back_only_its_own_change(
    memory: ProjectMemory,
) -> None:
    agent = speaking(memory, replace(BOT, name=ADA.name))
    with pytest.raises(NotFound):
        agent.undo()
    changed = agent.update("first", {"pitfalls": ["found by the agent"]}).revision
    memory.update("first", {"triggers": ["found by ada"]})
    agent.undo()
    assert memory.revision(changed + 2).revision.undoes == changed


def test_who_supersedes_an_agents_memory_does_not_assert_it(memory: ProjectMemory) -> None:
    old = draft(id="second", description="what the agent believed to be so")
    speaking(memory, BOT).create(old)
    memory.link("first", "supersedes", "second")
    assert memory.get("second").meta.asserted_by == "agent"


def test_a_restored_memory_that_is_superseded_is_asserted_by_whom_it_was(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    bot = speaking(memory, BOT)
    bot.create(draft(id="second", description="what the agent believed to be so"))
    bot.link("first", "supersedes", "second")
    memory.export_file(tmp_path / "all.json")
    with ProjectMemory.open(URL, project="demo", actor=ADA, create=True) as other:
        other.import_path(tmp_path / "all.json")
        assert other.get("second").meta.asserted_by == "agent"


def test_no_agent_mixes_its_old_words_into_what_a_person_asserts_again(
    memory: ProjectMemory,
) -> None:
    bot = speaking(memory, BOT)
    number = bot.update("first", {"remembered_facts": ["what the agent found"]}).revision
    memory.update("first", {"pitfalls": ["what ada read and let stand"]})
    memory.configure({"agent_edits": "propose"})
    with pytest.raises(Forbidden) as caught:
        bot.undo(revision=number)
    assert str(caught.value) == (
        "'undo' is for a person to do, at a terminal, because 'first' is asserted by a person"
    )
    assert memory.get("first").memory["remembered_facts"] == ["what the agent found"]


def test_an_agent_takes_back_its_own_link_and_label_where_a_person_asserts(
    memory: ProjectMemory,
) -> None:
    memory.configure({"agent_edits": "propose"})
    bot = speaking(memory, BOT)
    bot.create(draft(id="second", description="what the agent believed to be so"))
    reason = "the two fail together under load"
    bot.link("first", "related", "second", link_reason=reason)
    assert bot.undo().proposals == ()
    bot.rename_label("kind:bug", "kind:flaw")
    assert bot.undo().proposals == ()
    assert memory.get("first").memory["labels"] == ["kind:bug"]
    assert asserted(memory) == "user"


def test_an_agent_may_say_that_a_persons_memory_still_holds(memory: ProjectMemory) -> None:
    memory.configure({"agent_edits": "propose"})
    memory.update("first", {"evidence": {"last_validated": "2025-01-01"}})
    bot = speaking(memory, BOT)
    assert bot.touch(["first"]).proposals == ()
    assert asserted(memory) == "user"
    patch = {"evidence": {"last_validated": "2024-01-01"}}
    assert bot.update("first", patch).proposals == (1,)


def test_an_agents_second_successor_waits_too(memory: ProjectMemory) -> None:
    memory.configure({"agent_edits": "propose"})
    memory.create(draft(id="second", description="what ada knows better by now"))
    memory.link("second", "supersedes", "first")
    bot = speaking(memory, BOT)
    bot.create(draft(id="third", description="what the agent would have instead"))
    assert bot.link("third", "supersedes", "first").proposals == (1,)


def test_an_old_id_leads_a_revert_to_the_renamed_memory(memory: ProjectMemory) -> None:
    memory.configure({"agent_edits": "propose"})
    memory.update("first", {"pitfalls": ["what ada found later"]})
    reason = "the two fail together under load"
    memory.create(draft(id="second", description="what ada knows besides by now"))
    memory.link("second", "related", "first", link_reason=reason)
    memory.rename("first", "premier")
    assert speaking(memory, BOT).revert("first", version=1).proposals == (1,)
    assert memory.get("premier").meta.asserted_by == "user"
    memory.revert("first", version=1)
    assert memory.get("premier").memory["pitfalls"] == []
    assert memory.validate().problems == ()


def test_what_came_back_under_another_id_does_not_come_back_twice(memory: ProjectMemory) -> None:
    memory.rename("first", "premier")
    number = memory.delete("premier").revision
    memory.revert("premier", version=1)
    assert memory.memory_ids() == ["first"]
    with pytest.raises(Conflict) as caught:
        memory.undo(revision=number)
    assert "it is back as 'first'" in str(caught.value)


def test_nothing_comes_back_in_the_place_of_another(memory: ProjectMemory) -> None:
    memory.rename("first", "premier")
    memory.delete("premier")
    memory.create(draft(id="first", description="another lesson that took the id since"))
    with pytest.raises(MemoryExists) as caught:
        memory.revert("premier", version=1)
    assert str(caught.value) == (
        "'first' cannot come back: another memory has that id; rename it first"
    )


def test_a_revert_that_changes_nothing_takes_nobodys_word_away(memory: ProjectMemory) -> None:
    memory.configure({"agent_edits": "propose"})
    receipt = speaking(memory, BOT).revert("first", version=1)
    assert (receipt.proposals, receipt.notes) == ((), ("nothing changed",))
    assert asserted(memory) == "user"
