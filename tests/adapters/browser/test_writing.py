"""Write and edit a lesson: what is wrong is said at its field, and nobody's change is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from browsing import ADA, CODEX
from factories import draft
from playwright.sync_api import expect
from secret_samples import ALNUM, drawing

Open = Callable[..., Any]
TEXT = "Two writers on one SQLite file see that the database is locked"


def fill(shop: Any, actor: Any = CODEX) -> None:
    with shop.memories(actor) as memories:
        memories.create(
            draft(id="locked", description=TEXT, pitfalls=["a retry hides it"], tags=["old"])
        )


def test_a_lesson_is_written_and_what_is_wrong_is_said_at_its_field(visit: Open) -> None:
    shop = visit()
    shop.go()
    shop.get_by_role("link", name="New memory").click()
    lesson = shop.get_by_label("Lesson")
    lesson.fill("too short")
    shop.get_by_label("label 1").fill("bug")
    shop.get_by_label("fact 1").fill("the second writer waits")
    shop.locator(".more > summary").first.click()
    shop.get_by_label("Status", exact=True).select_option("verified")
    shop.get_by_label("Verified on").fill("")
    shop.press("Keep it")
    shop.sees("3 things to mend; nothing was saved")
    expect(lesson).to_be_focused()
    expect(lesson).to_have_attribute("aria-invalid", "true")
    expect(lesson).to_have_accessible_description(
        "one sentence of 20 to 500 characters that says what was learned "
        "'too short' has 9 characters; at least 20 are needed"
    )
    expect(shop.get_by_label("label 1")).to_have_accessible_description(
        "'bug' is no label of the form prefix:kebab-case"
    )
    expect(shop.get_by_label("fact 1")).to_have_accessible_description(
        "'verified_at' and 'source' are missing"
    )
    lesson.fill(TEXT)
    shop.get_by_label("label 1").fill("area:nowhere")
    shop.get_by_label("Verified on").fill("2026-01-31")
    shop.get_by_label("Source").first.fill("seen with two shells")
    shop.press("Keep it")
    expect(shop.get_by_label("label 1")).to_have_accessible_description(re.compile("area:nowhere"))
    expect(shop.get_by_label("label 1")).to_be_focused()
    shop.press("Register 'area:nowhere' …")
    shop.get_by_label("What it is for").fill("where nobody has been")
    shop.press("Register")
    shop.sees("'area:nowhere' is registered; save again")
    shop.press("Add trigger")
    shop.get_by_label("trigger 1").fill("SQLITE_BUSY")
    shop.press("Add pitfall")  # left empty, and so left out
    shop.get_by_text("Where it holds").click()
    shop.press("Add file")
    shop.get_by_label("file 1").fill("src/db.py")
    shop.press("Check only")
    shop.sees("It is valid; nothing was saved.")
    shop.get_by_label("Why").fill("it cost a day")
    shop.press("Keep it")
    shop.sees("The lesson is kept")
    expect(shop.get_by_role("heading", level=1)).to_have_text(TEXT)
    with shop.memories() as memories:
        (name,) = memories.memory_ids()
        kept, (revision, *_) = memories.get(name).memory, memories.history(name).revisions
    assert kept["remembered_facts"] == [
        {"fact": "the second writer waits", "status": "verified", "verified_at": "2026-01-31",
         "source": "seen with two shells"}
    ]  # fmt: skip
    assert (kept["triggers"], kept["pitfalls"], kept["labels"]) == (
        ["SQLITE_BUSY"],
        [],
        ["area:nowhere"],
    )
    assert (kept["scope"]["files"], kept["scope"]["reach"]) == (["src/db.py"], "project")
    assert (revision.actor, revision.authority, revision.reason) == (
        "wendy",
        "agent",
        "it cost a day",
    )


def test_the_same_text_is_kept_twice_only_where_that_is_meant(visit: Open) -> None:
    shop = visit()
    fill(shop)
    with shop.memories() as memories:
        text = memories.get("locked").memory
    shop.go("new")
    shop.get_by_label("Lesson").fill(TEXT)
    shop.get_by_label("label 1").fill("kind:bug")
    shop.get_by_label("fact 1").fill(text["remembered_facts"][0])
    shop.press("Add pitfall")
    shop.get_by_label("pitfall 1").fill("a retry hides it")
    shop.press("Keep it")
    expect(shop.get_by_role("alert")).to_contain_text("'locked'")
    shop.get_by_label("Keep it all the same").check()
    shop.press("Keep it")
    shop.sees("The lesson is kept")
    with shop.memories() as memories:
        assert len(memories.memory_ids()) == 2


def test_a_secret_is_refused_at_its_field_and_not_repeated(visit: Open) -> None:
    shop = visit()
    fill(shop)
    secret = "ghp_" + drawing(7)(ALNUM, 36)
    shop.go("memory/locked/edit")
    shop.get_by_label("pitfall 1").fill(f"log in with {secret}")
    shop.press("Save")
    expect(shop.get_by_label("pitfall 1")).to_have_attribute("aria-invalid", "true")
    expect(shop.locator(".problem:not(:empty)")).to_contain_text("looks like a secret")
    expect(shop.locator(".problem:not(:empty)")).not_to_contain_text("ghp_")


def test_an_edit_sends_only_what_was_changed(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("memory/locked/edit")
    with shop.expect_request("**/api/v1/memories/locked?*") as asked:
        shop.get_by_label("pitfall 1").fill("a retry only hides it")
        shop.press("Add pitfall")
        expect(shop.get_by_label("pitfall 2")).to_be_focused()
        shop.get_by_label("pitfall 2").fill("so does a timeout")
        shop.press("Save")
    assert asked.value.method == "PATCH"
    assert asked.value.post_data_json == {
        "patch": {"pitfalls": ["a retry only hides it", "so does a timeout"]},
        "if_version": 1,
        "dry_run": False,
    }
    shop.sees("'locked' is changed")
    shop.press("Undo")
    shop.sees("Taken back")
    with shop.memories() as memories:
        assert memories.get("locked").memory["pitfalls"] == ["a retry hides it"]


def test_a_field_is_emptied_and_a_row_taken_away(visit: Open) -> None:
    shop = visit()
    fill(shop)
    with shop.memories(CODEX) as memories:
        memories.update("locked", {"evidence": {"source": "a shell"}})
    shop.go("memory/locked/edit")
    shop.get_by_role("button", name="Remove this pitfall").click()
    shop.get_by_text("Evidence", exact=True).click()
    shop.get_by_label("Source").last.fill("")
    shop.press("Save")
    shop.sees("'locked' is changed")
    with shop.memories() as memories:
        kept = memories.get("locked").memory
    assert (kept["pitfalls"], "source" in kept["evidence"]) == ([], False)


def test_what_others_changed_meanwhile_is_shown_and_chosen(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("memory/locked/edit")
    shop.get_by_label("Lesson").fill(f"{TEXT}, at once")
    shop.get_by_label("pitfall 1").fill("a retry hides it for a while")
    with shop.memories(CODEX) as memories:
        memories.update(
            "locked", {"pitfalls": ["a retry makes it worse"], "triggers": ["SQLITE_BUSY"]}
        )
    shop.press("Save")
    expect(
        shop.get_by_role("heading", name="Changed meanwhile: version 2 is there now")
    ).to_be_focused()
    conflict = shop.locator(".conflict")
    expect(conflict.locator("dl ins")).to_have_text("added: SQLITE_BUSY")
    expect(conflict.get_by_role("group", name="Pitfalls")).to_contain_text(
        "a retry makes it worse"
    )
    conflict.get_by_label("Theirs").check()
    shop.press("Save with this")
    shop.sees("'locked' is changed")
    with shop.memories() as memories:
        kept = memories.get("locked").memory
    assert kept["description"] == f"{TEXT}, at once"
    assert (kept["pitfalls"], kept["triggers"]) == (["a retry makes it worse"], ["SQLITE_BUSY"])


def test_of_a_conflict_ones_own_can_be_kept(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("memory/locked/edit")
    shop.get_by_label("pitfall 1").fill("a retry hides it for a while")
    with shop.memories(CODEX) as memories:
        memories.update("locked", {"pitfalls": ["a retry makes it worse"]})
    shop.press("Save")
    shop.press("Save with this")
    shop.sees("'locked' is changed")
    with shop.memories() as memories:
        assert memories.get("locked").memory["pitfalls"] == ["a retry hides it for a while"]


def test_what_was_typed_is_not_lost_by_going_elsewhere(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("memory/locked/edit")
    shop.get_by_label("Lesson").fill("half a thought")
    shop.get_by_role("link", name="Audit").click()
    dialog = shop.get_by_role("dialog", name="Leave without saving?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(shop.get_by_label("Lesson")).to_have_value("half a thought")
    assert shop.url.endswith("/memory/locked/edit")
    shop.get_by_role("link", name="Audit").click()
    dialog.get_by_role("button", name="Leave").click()
    expect(shop.get_by_role("heading", name="Audit")).to_be_visible()


def test_an_edit_of_what_a_person_asserted_is_proposed(visit: Open) -> None:
    shop = visit()
    fill(shop, ADA)
    shop.go("memory/locked/edit")
    shop.get_by_label("pitfall 1").fill("a retry makes it worse")
    shop.press("Save")
    shop.sees("Proposed as 1: a person decides it")
    with shop.memories() as memories:
        assert memories.get("locked").memory["pitfalls"] == ["a retry hides it"]


def test_a_note_is_kept(visit: Open) -> None:
    shop = visit()
    shop.go("new")
    shop.get_by_text("Or only a note").click()
    shop.get_by_label("Note").fill("the nightly job locks the database")
    shop.press("Keep the note")
    shop.sees("Proposed as 1")
    with shop.memories() as memories:
        assert memories.proposal(1).proposal.note == "the nightly job locks the database"
