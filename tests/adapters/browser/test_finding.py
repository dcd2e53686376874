"""Log in, arrive, search, narrow, and find one's way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from factories import draft
from playwright.sync_api import Route, expect

from project_memory.hosting import Host
from project_memory.roles import Role


def fill(shop: Any) -> None:
    """Keep four lessons, the last of them newest."""
    with shop.memories() as memories:
        for label in ("area:storage", "area:sqlite", "area:web"):
            memories.add_label(label, distinct=True)
        memories.set_broader("area:sqlite", "area:storage")
        for name, text, label in (
            ("locked", "Two writers on one SQLite file see database is locked", "area:sqlite"),
            (
                "timeout",
                "A longer busy timeout only hides that the database is locked",
                "area:sqlite",
            ),
            ("cookies", "Cookies without SameSite are sent from anywhere", "area:web"),
            ("headers", "Headers that a proxy adds are taken from anybody", "area:web"),
        ):
            facts = [f"seen where {text.lower()}"]
            labels = ["kind:bug", label]
            memories.create(
                draft(id=f"{name}-one", description=text, labels=labels, remembered_facts=facts)
            )


Open = Callable[..., Any]


def test_a_token_logs_in_and_a_wrong_one_is_told_why(visit: Open) -> None:
    shop = visit(None, project="example.org/entry")
    fill(shop)
    shop.go()
    expect(shop.get_by_role("heading", name="Log in")).to_be_visible()
    shop.get_by_label("Token or code").fill("pmt_00000000_" + "a" * 43)
    shop.press("Log in")
    expect(shop.get_by_role("alert")).to_have_text(
        "The token is not accepted: it is wrong, has expired or was revoked; "
        "ask an administrator for another"
    )
    expect(shop.get_by_label("Token or code")).to_be_focused()
    shop.get_by_label("Token or code").fill(shop.store.tokens["writer"])
    shop.page.keyboard.press("Enter")
    expect(shop.locator(".entry")).to_have_count(4)
    assert shop.evaluate("document.cookie") == ""  # no script can read the session


def test_on_arrival_the_newest_come_first(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("")
    expect(shop.locator(".head")).to_have_text("4 memories, newest first")
    with shop.memories() as memories:
        memories.touch(["locked-one"])
        memories.update("locked-one", {"tags": ["newest"]})
    shop.reload()
    expect(shop.locator(".entry h2").first).to_have_text(
        "Two writers on one SQLite file see database is locked"
    )


def test_what_is_typed_is_ranked_at_once_and_says_why(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go()
    shop.get_by_role("searchbox").press_sequentially("database locked", delay=5)
    expect(shop.locator(".head")).to_have_text("2 memories fit, best first")
    with shop.memories() as memories:
        ranked = memories.recall(query="database locked").answers
    assert shop.entries() == [answer.description for answer in ranked]
    expect(shop.locator("#said")).to_have_text("2 memories fit, best first")
    first = shop.locator(".entry").first
    first.get_by_text("Score").click()
    expect(first.locator(".terms li").first).to_contain_text("in title")
    assert shop.url.endswith("memories?q=database+locked")
    shop.reload()
    expect(shop.get_by_role("searchbox")).to_have_value("database locked")
    expect(shop.locator(".head")).to_have_text("2 memories fit, best first")


def test_what_is_typed_is_looked_up_and_not_counted_as_asked(visit: Open) -> None:
    shop = visit()
    fill(shop)
    asked: list[str] = []
    shop.on("request", lambda request: asked.append(urlsplit(request.url).path))
    shop.go()
    shop.get_by_role("searchbox").fill("where is the kafka topic configured")
    expect(shop.locator(".head")).to_have_text("Nothing fits; try other words, or fewer filters")
    assert "/api/v1/lookup" in asked
    assert "/api/v1/recall" not in asked


def test_an_answer_that_comes_too_late_is_dropped(visit: Open) -> None:
    shop = visit()
    fill(shop)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    shop.route("**/lookup?*cookies*", hold)
    shop.go()
    search = shop.get_by_role("searchbox")
    search.fill("cookies")
    for _ in range(100):
        if held:
            break
        shop.wait_for_timeout(20)
    search.fill("database locked")
    expect(shop.locator(".head")).to_have_text("2 memories fit, best first")
    held[0].fulfill(json={"answers": [], "warnings": [], "omitted": 0, "nothing_relevant": True})
    shop.wait_for_timeout(100)
    expect(shop.locator(".entry")).to_have_count(2)


def test_labels_status_dates_and_an_expression_narrow_it(visit: Open) -> None:
    shop = visit()
    fill(shop)
    with shop.memories() as memories:
        memories.set_status("cookies-one", "wrong", reason="browsers have changed")
        memories.archive("headers-one")
    shop.go()
    tree = shop.get_by_role("group", name="Labels")
    # what is below a label is counted with it
    expect(tree.locator("label", has_text="storage").first).to_contain_text("2")
    tree.get_by_role("checkbox", name="sqlite").check()
    expect(shop.locator(".entry")).to_have_count(2)
    tree.get_by_role("checkbox", name="web").check()  # one of a prefix must fit
    expect(shop.locator(".head")).to_have_text("2 memories, newest first")
    shop.get_by_label("Status").select_option("wrong")
    expect(shop.locator(".entry h2")).to_have_text(
        ["Cookies without SameSite are sent from anywhere"]
    )
    shop.press("Clear filters")
    shop.get_by_label("Status").select_option("archived")
    expect(shop.locator(".entry h2")).to_have_text(
        ["Headers that a proxy adds are taken from anybody"]
    )
    shop.get_by_label("Status").select_option("all")
    expect(shop.locator(".entry")).to_have_count(3)
    shop.get_by_label("Changed from").fill("2100-01-01")
    expect(shop.locator(".entry")).to_have_count(0)
    shop.press("Clear filters")
    shop.get_by_label("Expression").fill("area:web AND")
    shop.get_by_label("Expression").press("Enter")
    expect(shop.get_by_role("alert")).to_contain_text("area:web AND")
    shop.get_by_label("Expression").fill("NOT area:web")
    shop.get_by_label("Expression").press("Enter")
    expect(shop.locator(".entry")).to_have_count(2)


def test_an_address_survives_reloading_and_going_back(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go("memories?label=area%3Asqlite&q=locked")
    text = shop.entries()[0]
    shop.locator(".entry a").first.click()
    expect(shop.get_by_role("heading", level=1)).to_be_focused()
    where = shop.url
    shop.reload()
    assert shop.url == where
    expect(shop.get_by_role("heading", level=1)).to_have_text(text)
    shop.go_back()
    expect(shop.get_by_role("searchbox")).to_have_value("locked")
    expect(shop.get_by_role("checkbox", name="sqlite")).to_be_checked()


def test_more_than_a_page_is_shown_when_asked_for(visit: Open) -> None:
    shop = visit()
    with shop.memories() as memories:
        for number in range(23):
            text = f"lesson number {number} of those that fill a page"
            memories.create(
                draft(id=f"lesson-{number}", description=text, remembered_facts=[text])
            )
    shop.go()
    expect(shop.locator(".entry")).to_have_count(20)
    shop.press("Show more")
    expect(shop.locator(".entry")).to_have_count(23)
    expect(shop.get_by_role("button", name="Show more")).to_have_count(0)


def test_the_project_is_changed_above(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go()
    expect(shop.locator(".entry")).to_have_count(4)
    shop.get_by_label("Project").select_option("hidden")
    expect(shop.locator(".entry")).to_have_count(1)
    assert "#/hidden/memories" in shop.url
    assert shop.title() == "Memories · hidden · Project memory"


def test_a_session_ends_by_logging_out_and_by_revoking_its_token(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go()
    shop.press("Log out")
    shop.sees("You are logged out.")
    shop.reload()
    shop.get_by_label("Token or code").wait_for()
    with Host.open(shop.store.path) as host:
        token = host.add_token("rex", role=Role.READER, projects=[shop.project], days=1).token
    shop.get_by_label("Token or code").fill(token)
    shop.press("Log in")
    expect(shop.locator(".entry")).to_have_count(4)
    assert shop.get_by_label("Project").locator("option").all_inner_texts() == [shop.project]
    with Host.open(shop.store.path) as host:
        host.revoke("rex")
    shop.locator(".entry a").first.click()
    shop.sees("The session has ended; log in again.")


def test_a_server_that_is_gone_is_told_in_words(visit: Open) -> None:
    shop = visit()
    fill(shop)
    shop.go()
    shop.route("**/api/v1/**", lambda route: route.abort())
    shop.get_by_role("searchbox").fill("anything")
    expect(shop.get_by_role("alert")).to_have_text(
        "The server cannot be reached; see whether it runs, then try again"
    )


def test_an_address_that_leads_nowhere_says_so(visit: Open) -> None:
    shop = visit()
    shop.go("bogus")
    shop.sees("The address leads to no view; choose one above.")
    shop.go("memory/no-such-lesson")
    expect(shop.get_by_role("alert")).to_contain_text("No memory 'no-such-lesson'")
