"""The page itself: for everybody, in every theme and width, and harmless whatever is stored."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import ADA, CODEX
from factories import draft
from playwright.sync_api import expect

Open = Callable[..., Any]
AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"
TEXT = "Two writers on one SQLite file see that the database is locked"
OPEN = "document.querySelectorAll('main details').forEach(each => { each.open = true; })"
VIEWS = (
    "memories", "memories?q=database+locked", "memory/locked", "memory/locked/history",
    "memory/locked/graph", "memory/locked/edit", "new", "review", "review/1", "review/2",
    "audit", "usage", "gaps", "settings", "bogus",
)  # fmt: skip


def fill(shop: Any) -> None:
    """Keep something for every view to show."""
    with shop.memories(ADA) as memories:
        memories.add_label("area:storage")
        memories.create(
            draft(
                id="locked",
                description=TEXT,
                labels=["area:storage", "kind:bug"],
                remembered_facts=[
                    {
                        "fact": "the second waits",
                        "status": "verified",
                        "verified_at": "2026-01-31",
                        "source": "seen",
                    },
                    "a timeout is five seconds",
                ],
                pitfalls=["a retry hides it"],
                triggers=["SQLITE_BUSY"],
                checks=[{"type": "file_exists", "path": "src/db.py"}],
            )
        )
        memories.create(draft(id="older", description="A longer timeout is all that it needs"))
        memories.create(
            draft(id="untrue", description="A locked database is a broken one for ever")
        )
        memories.link("locked", "supersedes", "older")
        memories.link("locked", "related", "untrue", link_reason="what it is taken for")
        memories.set_status("untrue", "wrong", reason="it opens again")
        memories.update("locked", {"pitfalls": ["a retry only hides it"]})
        memories.expect("database locked", ["locked"])
        memories.recall(query="where is the kafka topic configured")
    with shop.memories(CODEX) as memories:
        memories.note("the nightly job locks the database when it runs")
        memories.update("locked", {"description": f"{TEXT} at once"})


def violations(shop: Any) -> list[str]:
    """Return what axe finds wrong with the view, by the rules of WCAG 2.2 AA and good practice."""
    if not shop.evaluate("typeof axe === 'object'"):
        shop.evaluate(AXE.read_text(encoding="utf-8"))
    found = shop.evaluate(
        """() => axe.run(document, {resultTypes: ["violations"], runOnly: {type: "tag", values:
           ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}})
           .then(({violations}) => violations.map(
               ({id, nodes}) => [id, nodes.map(node => node.html.slice(0, 150))]))"""
    )
    return [f"{rule}: {html}" for rule, nodes in found for html in nodes]


def test_no_view_has_a_violation_that_axe_finds_in_either_theme(visit: Open) -> None:
    shop = visit("admin", bypass_csp=True)
    fill(shop)
    found: dict[str, list[str]] = {}
    for place in VIEWS:
        shop.go(place)
        if place.endswith("history"):
            shop.locator(".revisions summary").first.click()
            shop.locator("ins").first.wait_for()
        shop.evaluate(OPEN)
        for theme in ("light", "dark"):
            shop.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            found[f"{place} {theme}"] = violations(shop)
    assert {place: each for place, each in found.items() if each} == {}


def test_neither_the_login_nor_a_dialogue_nor_a_refusal_has_one(visit: Open) -> None:
    stranger = visit(None, bypass_csp=True)
    stranger.goto(stranger.store.url)
    stranger.get_by_label("Token or code").fill("wrong")
    stranger.press("Log in")
    stranger.get_by_role("alert").wait_for()
    assert violations(stranger) == []
    shop = visit(bypass_csp=True)
    with shop.memories(CODEX) as memories:
        memories.create(draft(id="locked", description=TEXT))
    shop.go("memory/locked")
    shop.press("Pin")
    shop.locator(".toast").wait_for()
    shop.press("Delete …")
    assert violations(shop) == []
    shop.keyboard.press("Escape")
    shop.go("memory/locked/edit")
    shop.get_by_label("Lesson").fill("short")
    shop.press("Save")
    shop.locator(".problem:not(:empty)").first.wait_for()
    assert violations(shop) == []
    with shop.memories(CODEX) as memories:
        memories.update("locked", {"description": f"{TEXT} now"})
    shop.get_by_label("Lesson").fill(f"{TEXT} then")
    shop.press("Save")
    shop.locator(".conflict").wait_for()
    assert violations(shop) == []


HOSTILE = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"


def test_nothing_that_is_stored_is_run_or_becomes_markup(visit: Open) -> None:
    shop = visit("admin")
    with shop.memories(ADA) as memories:
        memories.add_label("area:web", description=HOSTILE)
        bad = draft(
            id="hostile", description=f"a sentence of some length {HOSTILE}", labels=["area:web"],
            remembered_facts=[{"fact": HOSTILE, "key": HOSTILE, "source": HOSTILE,
                "status": "verified", "verified_at": "2026-01-31"}],
            triggers=[HOSTILE], solution_pattern=[HOSTILE], pitfalls=[HOSTILE], tags=[HOSTILE],
            scope={"files": ["<script>alert(1)"], "area": HOSTILE, "applies_to": [HOSTILE]},
            evidence={"created_from_task": HOSTILE, "source": HOSTILE, "commit": "<b>x</b>"},
            checks=[{"type": "text_present", "path": "<b>x</b>", "text": HOSTILE}],
        )  # fmt: skip
        memories.create(bad, reason=HOSTILE)
        memories.create(
            draft(id="other", description=f"another sentence of some length {HOSTILE}")
        )
        memories.link("hostile", "related", "other", link_reason=HOSTILE)
        memories.update("hostile", {"pitfalls": [f"{HOSTILE} again"]}, reason=HOSTILE)
        memories.set_status("other", "wrong", reason=HOSTILE)
        memories.expect(HOSTILE, ["hostile"])
        memories.recall(query=f"kafka {HOSTILE} topic")
    with shop.memories(CODEX) as memories:
        memories.note(f"a note {HOSTILE}")
        memories.update("hostile", {"triggers": [HOSTILE, "more"]}, reason=HOSTILE)
    run: list[str] = []
    shop.on("dialog", lambda dialog: run.append(dialog.message))
    for place in (
        "memories", "memories?q=sentence", "memory/hostile", "memory/other",
        "memory/hostile/history", "memory/hostile/graph", "memory/hostile/edit", "review",
        "review/1", "review/2", "audit", "usage", "gaps",
    ):  # fmt: skip
        shop.go(place)
        shop.evaluate(OPEN)
        shop.wait_for_timeout(100)
        # the page has one picture of its own, and one script
        assert shop.locator("img").count() == shop.locator("script").count() == 1, place
        assert "run" not in shop.title().split(" · "), place
    shop.go("memory/hostile")
    expect(shop.locator(".facts")).to_contain_text(HOSTILE)
    shop.go("memory/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    expect(shop.get_by_role("alert")).to_contain_text("<img src=x onerror=alert(1)>")
    assert run == []


def test_the_browser_itself_refuses_to_make_markup_or_to_run_text(visit: Open) -> None:
    shop = visit()
    shop.go()
    refused = shop.evaluate(
        """() => ["innerHTML", "outerHTML"].map((name) => {
             try { document.getElementById("main")[name] = "<b>x</b>"; return "made"; }
             catch (error) { return error.name; } })"""
    )
    assert refused == ["TypeError", "TypeError"]
    shop.watched.faults.clear()  # of which each tells


@pytest.mark.parametrize("width", [360, 768])
def test_no_view_scrolls_sideways(visit: Open, width: int) -> None:
    shop = visit("admin", viewport={"width": width, "height": 740})
    fill(shop)
    wide = {}
    for place in VIEWS:
        shop.go(place)
        shown = shop.evaluate("document.documentElement.scrollWidth")
        if shown > width:
            wide[place] = shown
    assert wide == {}


def test_the_whole_way_is_gone_by_keys(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go()
    keys = shop.keyboard
    keys.press("Tab")
    expect(shop.get_by_role("link", name="Skip to the content")).to_be_focused()
    keys.press("Enter")
    expect(shop.locator("#main")).to_be_focused()
    keys.press("/")
    expect(shop.get_by_role("searchbox")).to_be_focused()
    keys.type("sqlite file")
    expect(shop.locator(".head")).to_contain_text("best first")
    first = shop.locator(".entry a").first
    for _ in range(60):
        keys.press("Tab")
        if first.evaluate("link => link === document.activeElement"):
            break
    outline = first.evaluate("link => getComputedStyle(link).outlineWidth")
    assert outline == "2px"
    keys.press("Enter")
    expect(shop.get_by_role("heading", level=1)).to_be_focused()
    keys.press("/")  # from elsewhere it leads to the search
    shop.wait_for_url("**/memories")
    shop.go("memory/older")
    shop.get_by_role("button", name="Delete …").focus()
    keys.press("Enter")
    expect(shop.get_by_role("button", name="Cancel")).to_be_focused()
    keys.press("Escape")
    expect(shop.get_by_role("button", name="Delete …")).to_be_focused()


def ground(shop: Any) -> str:
    return shop.evaluate("getComputedStyle(document.documentElement).backgroundColor")


def test_the_theme_follows_the_system_until_one_is_chosen(visit: Open) -> None:
    shop = visit(color_scheme="dark")
    fill(shop)
    shop.go("memory/locked/graph")
    dark = ground(shop)
    shop.emulate_media(color_scheme="light")
    light = ground(shop)
    assert dark != light
    theme = shop.get_by_role("button", name="Theme:")
    expect(theme).to_have_accessible_name("Theme: system")
    theme.click()
    theme.click()
    expect(theme).to_have_accessible_name("Theme: dark")
    assert ground(shop) == dark
    shop.reload()
    shop.settled()
    assert ground(shop) == dark


def test_nothing_moves_for_who_wants_no_motion(visit: Open) -> None:
    shop = visit(reduced_motion="reduce")
    shop.go()
    moving = shop.evaluate(
        """[...document.querySelectorAll("*")].filter(
               each => parseFloat(getComputedStyle(each).transitionDuration) > 0).length"""
    )
    assert moving == 0


def test_what_changes_is_told_to_who_listens(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go()
    said = shop.locator("#said")
    expect(said).to_have_attribute("aria-live", "polite")
    expect(said).to_have_text(re.compile("newest first"))
    shop.get_by_role("searchbox").fill("zzzz")
    expect(said).to_have_text("Nothing fits; try other words, or fewer filters")
