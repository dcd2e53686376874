"""One lesson: what is shown of it, its history, its links, and what is done to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from browsing import ADA, CODEX
from factories import draft
from playwright.sync_api import expect

Open = Callable[..., Any]
LESSON = {
    "id": "locked",
    "description": "Two writers on one SQLite file see that the database is locked",
    "labels": ["kind:bug"],
    "triggers": ["SQLITE_BUSY"],
    "remembered_facts": [
        {"fact": "the second writer waits for the first", "status": "verified",
         "verified_at": "2026-01-31", "source": "seen with two shells"},
        "a timeout is five seconds",
    ],
    "solution_pattern": ["begin with BEGIN IMMEDIATE"],
    "pitfalls": ["a longer timeout only hides it"],
    "checks": [{"type": "text_present", "path": "src/db.py", "text": "BEGIN IMMEDIATE"}],
    "scope": {"files": ["src/db.py"], "area": "storage"},
    "evidence": {"created_from_task": "the nightly job", "confidence": "high"},
}  # fmt: skip


def fill(shop: Any, actor: Any = CODEX) -> None:
    with shop.memories(actor) as memories:
        memories.create(draft(**LESSON))
        memories.create(
            draft(id="timeout", description="A busy timeout is counted from the first try")
        )
        memories.link("locked", "related", "timeout", link_reason="what people try first")


def test_everything_that_is_known_of_a_lesson_is_shown(visit: Open) -> None:
    shop = visit()
    fill(shop)
    with shop.memories() as memories:
        memories.record_use(["locked"])
    shop.go("memory/locked")
    for text in (
        LESSON["description"], "kind:bug", "SQLITE_BUSY", "the second writer waits for the first",
        "verified Jan 31, 2026", "seen with two shells", "a timeout is five seconds",
        "begin with BEGIN IMMEDIATE", "a longer timeout only hides it", "text present",
        "storage", "the nightly job", "high", "what people try first",
    ):  # fmt: skip
        expect(shop.locator("main")).to_contain_text(text)
    section = shop.locator("section", has=shop.get_by_role("heading", name="Use", exact=True))
    expect(section).to_contain_text("Applied1 time")


def test_history_shows_what_was_changed_and_puts_it_back(visit: Open) -> None:
    shop = visit()
    fill(shop)
    with shop.memories(CODEX) as memories:
        memories.update("locked", {"pitfalls": ["a retry hides it too"]}, reason="seen again")
    shop.go("memory/locked/history")
    newest = shop.locator(".revisions > li").first
    expect(newest.locator(".reason")).to_have_text("seen again")
    newest.locator("summary").click()
    expect(newest.locator("ins")).to_have_text("added: a retry hides it too")
    expect(newest.locator("del")).to_have_text("removed: a longer timeout only hides it")
    shop.press("Compare")
    compared = shop.locator("form.compare + div")
    expect(compared.locator("ins")).to_have_text("added: a retry hides it too")
    oldest = shop.locator(".revisions > li").last
    oldest.locator("summary").click()
    oldest.get_by_role("link", name="Read it so").click()
    shop.sees("version 1 of 'locked'")
    expect(shop.locator("main")).to_contain_text("a longer timeout only hides it")
    shop.go_back()
    shop.locator(".revisions > li").last.locator("summary").click()
    shop.press("Put back to version 1 …")
    shop.get_by_label("Why").fill("the first was right")
    shop.press("Put back")
    shop.sees("'locked' is as in version 1")
    with shop.memories() as memories:
        assert memories.get("locked").memory["pitfalls"] == ["a longer timeout only hides it"]
    shop.press("Undo")
    shop.sees("Taken back")
    with shop.memories() as memories:
        assert memories.get("locked").memory["pitfalls"] == ["a retry hides it too"]


def test_a_difference_is_told_by_words_and_in_whole_changes(visit: Open) -> None:
    shop = visit()
    fill(shop)
    with shop.memories(CODEX) as memories:
        text = "Three readers of one SQLite file see that the database is not locked at all"
        memories.update("locked", {"description": text})
    shop.go("memory/locked/history")
    shop.press("Compare")
    compared = shop.locator("form.compare + div p.difference")
    expect(compared.locator("del")).to_have_text(["removed: Two writers on"])
    expect(compared.locator("ins")).to_have_text(
        ["added: Three readers of", "added: not ", "added:  at all"]
    )
    expect(compared).to_contain_text(" one SQLite file see that the database is ")


def test_a_notice_goes_when_who_reads_has_gone_on(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("memory/locked")
    shop.press("Pin")
    expect(shop.locator(".toast")).to_contain_text("is kept from audits")
    shop.get_by_role("link", name="Usage").click()
    expect(shop.locator(".toast")).to_have_count(1)
    shop.get_by_role("link", name="Gaps").click()
    expect(shop.locator(".toast")).to_have_count(0)


def test_the_graph_is_a_picture_and_a_list_that_keys_reach(visit: Open) -> None:
    shop = visit()
    fill(shop)
    with shop.memories(CODEX) as memories:
        memories.create(draft(id="far", description="What is two links away from the first"))
        memories.link("timeout", "depends_on", "far")
    shop.go("memory/locked/graph")
    expect(shop.locator(".head")).to_have_text("1 memory around it, 1 link")
    expect(shop.locator(".picture canvas").first).to_be_attached()
    box = shop.locator(".picture").bounding_box()
    shop.get_by_label("Steps away").select_option("2")
    expect(shop.locator(".nodes > li")).to_have_count(3)
    expect(shop.locator(".nodes")).to_contain_text("depends on far")
    assert box["width"] > 300
    link = shop.locator(".nodes").get_by_role("link", name="A busy timeout is counted")
    link.focus()
    shop.keyboard.press("Enter")
    shop.wait_for_url("**/memory/timeout/graph")
    expect(shop.get_by_role("heading", level=1)).to_contain_text("A busy timeout")


def test_a_lesson_in_the_picture_can_be_pressed(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("memory/locked/graph")
    shop.locator(".picture canvas").first.wait_for(state="attached")
    shop.wait_for_timeout(100)
    box = shop.locator(".picture").bounding_box()
    middle = box["y"] + box["height"] / 2
    # the only other lesson is to the right of the first, in a picture that is fitted to its place
    for x in range(0, int(box["width"] / 2), 10):
        for y in (-20, -10, 0):
            shop.mouse.click(box["x"] + box["width"] / 2 + x, middle + y)
        if "timeout" in shop.url:
            break
    expect(shop.get_by_role("heading", level=1)).to_contain_text("A busy timeout")


def test_links_are_made_and_taken_away(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("memory/locked")
    shop.press("Link to …")
    shop.get_by_label("How").select_option("depends_on")
    shop.get_by_label("Id of the other memory").fill("nowhere")
    shop.press("Link")
    expect(shop.get_by_role("alert")).to_contain_text("nowhere")
    shop.press("Link to …")
    shop.get_by_label("How").select_option("depends_on")
    shop.get_by_label("Id of the other memory").fill("timeout")
    shop.press("Link")
    shop.sees("'locked' depends on 'timeout'")
    shop.get_by_role("button", name="Remove the link to timeout").first.click()
    shop.sees("are not linked any more")
    with shop.memories() as memories:
        relationships = memories.get("locked").memory["relationships"]
    assert [kind for kind, targets in relationships.items() if targets] == ["depends_on"]


def test_archiving_and_deleting_can_be_taken_back(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("memory/locked")
    shop.press("Archive")
    shop.sees("'locked' is archived")
    expect(shop.locator(".about .mark").first).to_have_text("archived")
    shop.press("Undo")
    expect(shop.get_by_role("button", name="Archive", exact=True)).to_be_visible()
    shop.press("Delete …")
    dialog = shop.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    shop.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    shop.press("Delete …")
    dialog.get_by_label("Why").fill("it was never so")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    shop.sees("'locked' is deleted")
    shop.wait_for_url("**/memories")
    expect(shop.locator(".entry")).to_have_count(1)
    shop.press("Undo")
    shop.wait_for_url("**/memory/locked")
    with shop.memories() as memories:
        assert memories.get("locked").memory["relationships"]["related"][0]["id"] == "timeout"


def test_it_is_validated_pinned_judged_and_counted(visit: Open) -> None:
    shop = visit()
    fill(shop)
    with shop.memories(CODEX) as memories:
        memories.update("locked", {"evidence": {"last_validated": "2026-01-01"}})
    shop.go("memory/locked")
    shop.press("Still holds")
    shop.sees("Validated today")
    shop.press("Pin")
    expect(shop.get_by_role("button", name="Unpin")).to_be_visible()
    shop.press("Useful")
    shop.sees("Counted as applied")
    shop.press("Misleading")
    shop.sees("Counted as wrong")
    shop.press("Status …")
    shop.get_by_label("Status", exact=True).select_option("stale")
    shop.press("Change")  # why is needed: the browser asks for it
    expect(shop.get_by_role("dialog")).to_be_visible()
    shop.get_by_label("Why").fill("the driver has changed")
    shop.press("Change")
    shop.sees("'locked' is stale")
    with shop.memories() as memories:
        reading, usage = memories.get("locked"), memories.memory_usage("locked")
    assert (reading.memory["status"], reading.meta.pinned) == ("stale", True)
    assert reading.memory["evidence"]["last_validated"] > "2026-01-01"
    assert (usage.memories[0].total.applied, usage.memories[0].total.wrong) == (1, 1)


def test_what_a_person_asserted_becomes_a_proposal_and_can_be_withdrawn(visit: Open) -> None:
    shop = visit()
    fill(shop, ADA)
    shop.go("memory/locked")
    shop.press("Archive")
    notice = shop.sees("Proposed as 1: a person decides it")
    expect(notice).to_be_visible()
    shop.go("review/1")
    shop.press("Withdraw …")
    shop.get_by_role("dialog").get_by_role("button", name="Withdraw", exact=True).click()
    shop.wait_for_url("**/review")
    expect(shop.locator(".head")).to_have_text("Nothing here.")
    expect(shop.locator(".toast")).to_contain_text("Withdrawn")


def test_a_former_id_leads_on_and_a_successor_is_named(visit: Open) -> None:
    shop = visit("reader")
    fill(shop)
    with shop.memories(CODEX) as memories:
        memories.rename("timeout", "busy-timeout")
        memories.link("locked", "supersedes", "busy-timeout")
    shop.go("memory/timeout")
    shop.sees("'timeout' is its former id")
    shop.locator(".banner").get_by_role("link", name="locked").click()
    expect(shop.get_by_role("heading", level=1)).to_have_text(re.compile("Two writers"))
    # who may only read is offered nothing else
    expect(shop.get_by_role("button", name="Archive")).to_have_count(0)
    expect(shop.get_by_role("link", name="Edit")).to_have_count(0)
