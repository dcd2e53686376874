"""What keeps a store honest: review, audit, usage, gaps, settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browsing import ADA, CODEX
from factories import draft
from playwright.sync_api import Route, expect

from project_memory.roles import Role

Open = Callable[..., Any]
TEXT = "Two writers on one SQLite file see that the database is locked"


def fill(shop: Any) -> None:
    """Keep a lesson of a person's, a note, and a change of it that a person must decide."""
    with shop.memories(ADA) as memories:
        memories.create(draft(id="locked", description=TEXT))
    with shop.memories(CODEX) as memories:
        memories.note("the nightly job locks the database when it runs")
        memories.update("locked", {"description": f"{TEXT} at once"}, reason="seen so")


def test_the_queue_shows_what_each_proposal_would_do(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("review")
    expect(shop.locator(".head")).to_have_text("2 proposals")
    shop.get_by_role("link", name="Update locked").click()
    expect(shop.locator(".effects ins")).to_have_text("added:  at once")
    expect(shop.locator(".effects del")).to_have_count(0)
    expect(shop.locator(".reason")).to_have_text("seen so")
    # who speaks over a network is no person
    expect(shop.locator("main")).to_contain_text("project-memory review apply 2")
    expect(shop.locator(".person")).to_contain_text("as an agent")
    expect(shop.get_by_role("button", name="Apply …")).to_have_count(0)
    with shop.memories(ADA) as memories:
        memories.update("locked", {"description": f"{TEXT} now and then"})
    shop.reload()
    expect(shop.locator(".conflict")).to_contain_text(f"It was {TEXT}")
    expect(shop.locator(".conflict")).to_contain_text("now and then")


def test_a_note_is_made_a_memory(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("review")
    shop.get_by_role("link", name="the nightly job").click()
    expect(shop.get_by_label("Lesson")).to_have_value(
        "the nightly job locks the database when it runs"
    )
    shop.press("Make it a memory")
    shop.sees("1 thing to mend")
    shop.get_by_label("label 1").fill("kind:lesson")
    shop.get_by_label("Id", exact=True).fill("nightly-job")
    shop.press("Make it a memory")
    shop.sees("Note 1 is a memory")
    with shop.memories() as memories:
        assert memories.get("nightly-job").memory["labels"] == ["kind:lesson"]
        assert memories.proposal(1).proposal.state == "applied"
    shop.press("Undo")
    shop.sees("Taken back")
    shop.go("review?state=applied")
    expect(shop.locator(".head")).to_have_text("Nothing here.")


def test_a_person_applies_puts_off_and_rejects(visit: Open) -> None:
    shop = visit(None)
    fill(shop)
    with shop.memories(CODEX) as memories:
        memories.archive("locked")
    shop.go("review")
    shop.get_by_label("Token or code").fill(shop.store.code(Role.WRITER))
    shop.press("Log in")
    expect(shop.locator(".person")).to_contain_text("petra · writer")
    expect(shop.locator(".person")).not_to_contain_text("as an agent")
    shop.get_by_role("link", name="the nightly job").click()
    shop.press("Put off")
    shop.sees("Proposal 1 is put off")
    expect(shop.locator(".entry").last).to_contain_text("put off")
    shop.get_by_role("link", name="Archive locked").click()
    shop.press("Reject …")
    shop.get_by_role("dialog").get_by_label("Why").fill("it still holds")
    shop.get_by_role("dialog").get_by_role("button", name="Reject").click()
    shop.sees("Rejected")
    shop.get_by_role("link", name="Update locked").click()
    shop.press("Apply …")
    shop.get_by_role("dialog").get_by_role("button", name="Apply").click()
    shop.sees("Applied")
    with shop.memories() as memories:
        assert memories.get("locked").memory["description"] == f"{TEXT} at once"
        assert memories.get("locked").meta.asserted_by == "user"
        decided = memories.proposal(3).proposal
    assert (decided.state, decided.decision.reason) == ("rejected", "it still holds")
    shop.press("Undo")
    shop.sees("Taken back")
    expect(shop.locator(".entry")).to_have_count(2)


def test_a_person_applies_what_conflicts_only_after_being_told(visit: Open, store: Any) -> None:
    shop = visit(store.code(Role.WRITER))
    fill(shop)
    with shop.memories(ADA) as memories:
        memories.update("locked", {"description": f"{TEXT} now and then"})
    shop.go("review/2")
    shop.press("Apply …")
    dialog = shop.get_by_role("dialog")
    expect(dialog).to_contain_text("It replaces what was changed since.")
    dialog.get_by_role("button", name="Apply").click()
    shop.sees("Applied")
    with shop.memories() as memories:
        assert memories.get("locked").memory["description"] == f"{TEXT} at once"


def test_an_audit_shows_findings_and_does_one_when_told(visit: Open) -> None:
    shop = visit()
    with shop.memories(CODEX) as memories:
        memories.create(draft(id="newer", description=TEXT))
        memories.create(
            draft(id="older", description="A longer timeout is all that is needed here")
        )
        memories.link("newer", "supersedes", "older")
    shop.go("audit")
    expect(shop.locator(".head")).to_contain_text("2 memories looked at")
    finding = shop.locator(".findings li", has_text="Superseded by 'newer'; archive it")
    finding.get_by_role("button").click()
    dialog = shop.get_by_role("dialog", name="Archive 'older'?")
    expect(dialog.locator("pre")).to_contain_text('"id": "older"')
    dialog.get_by_role("button", name="Archive").click()
    shop.sees("Archive: 'older'")
    expect(finding).to_have_count(0)
    with shop.memories() as memories:
        assert memories.get("older").meta.archived_at is not None
    shop.press("Undo")
    expect(finding).to_have_count(1)


def test_a_finding_leads_to_what_it_is_about(visit: Open) -> None:
    shop = visit("reader")
    fill(shop)

    def told(route: Route) -> None:
        report = route.fetch().json()
        (one, *_) = report["findings"]
        subjects = ("proposal 2", "kind:bug", "locked", "an odd <b>name</b>")
        findings = [{**one, "subject": subject, "action": None} for subject in subjects]
        route.fulfill(json={**report, "findings": findings})

    shop.route("**/audit?*", told)
    shop.go("audit")
    findings = shop.locator(".findings li")
    expect(findings.nth(3)).to_contain_text("an odd <b>name</b>")
    expect(findings.nth(3).get_by_role("link")).to_have_count(0)
    findings.first.get_by_text("Evidence").click()
    expect(findings.first.locator(".plain")).not_to_be_empty()
    for subject, place in (
        ("proposal 2", "/review/2"), ("kind:bug", "/memories?label=kind%3Abug"),
        ("locked", "/memory/locked"),
    ):  # fmt: skip
        assert findings.get_by_role("link", name=subject).get_attribute("href").endswith(place)


def test_usage_is_a_table_of_what_was_found_and_applied(visit: Open) -> None:
    shop = visit("reader")
    fill(shop)
    with shop.memories() as memories:
        memories.record_use(["locked"], wrong_ids=[])
        memories.recall(query="database locked")
    shop.go("usage")
    expect(shop.locator(".head")).to_have_text(
        "1 memory (0 archived), 0 links, 14 labels; 1 question asked."
    )
    row = shop.get_by_role("row", name="locked")
    assert row.locator("td").all_inner_texts()[:4] == ["1", "1", "1", "0"]
    row.get_by_role("link").click()
    expect(shop.get_by_role("heading", level=1)).to_have_text(TEXT)


def test_gaps_are_shown_and_what_is_expected_is_asked(visit: Open) -> None:
    shop = visit("reader")
    fill(shop)
    with shop.memories() as memories:
        memories.recall(query="where is the kafka topic configured")
        memories.expect("database locked", ["locked"])
        memories.create(
            draft(id="other", description="Cookies without SameSite are sent by others")
        )
        memories.expect("locked database", ["other"], within=1)
    shop.go("gaps")
    expect(shop.locator(".head").first).to_have_text("1 group of 1 question")
    expect(shop.locator(".entry")).to_contain_text("1 without an answer")
    shop.press("Ask them all")
    shop.sees("1 of 2 hold")
    expect(shop.locator(".texts li", has_text="database locked")).to_contain_text("holds")
    expect(shop.locator(".texts li", has_text="locked database")).to_contain_text("is lost")
    shop.get_by_role("link", name="where is the kafka topic configured").click()
    expect(shop.get_by_role("searchbox")).to_have_value("where is the kafka topic configured")


def test_settings_are_for_administrators(visit: Open) -> None:
    shop = visit("admin")
    fill(shop)
    shop.go()
    shop.get_by_role("link", name="Settings").click()
    expect(shop.locator(".settings").first).to_contain_text(shop.project)
    shop.sees("A person changes them: here, logged in with a code")
    with shop.expect_download() as download:
        shop.get_by_role("link", name="Download an export").click()
    assert download.value.path().read_text(encoding="utf-8").count('"locked"')
    other = visit("writer", project=shop.project)
    other.go()
    expect(other.get_by_role("link", name="Settings")).to_have_count(0)


def test_a_person_changes_settings_and_takes_them_back(visit: Open, store: Any) -> None:
    shop = visit(store.code(Role.ADMIN))
    shop.go("settings")
    expect(shop.get_by_label("What agents write")).to_have_value("")
    for chosen, kept in (("review", {"writes": "review"}), ("", {})):
        shop.get_by_label("What agents write").select_option(chosen)
        with shop.expect_response("**/api/v1/project?*") as answered:
            shop.press("Save")
        assert answered.value.ok
        with shop.memories() as memories:
            assert dict(memories.project_info().settings) == kept
        shop.reload()
