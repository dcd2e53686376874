"""The pictures in docs/, taken of the example store; `make pictures` takes them anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from project_memory import resources

ROOT = Path(__file__).resolve().parents[3]
PICTURES = ROOT / "docs" / "pictures"
LARGEST = 150_000
SIZE = {"width": 1180, "height": 660}
NAMES = ("search", "memory", "graph", "phone")


def test_each_picture_can_be_taken_and_is_there(visit: Callable[..., Any], tmp_path: Path) -> None:
    folder = PICTURES if "TAKE_PICTURES" in os.environ else tmp_path
    shop = visit("writer", project="github.com/acme/shop", viewport=SIZE)
    with shop.memories() as memories:
        memories.import_path(resources.data_root() / "examples" / "store")
    shop.go()
    shop.get_by_role("searchbox").fill("database is locked")
    shop.locator(".why summary").first.click()
    shop.page.screenshot(path=folder / "search.png")
    shop.go("memory/sqlite-upgrade-busy-snapshot")
    shop.page.screenshot(path=folder / "memory.png")
    shop.emulate_media(color_scheme="dark")
    shop.go("memory/sqlite-begin-immediate/graph")
    shop.get_by_label("Steps away").select_option("2")
    expect(shop.locator(".nodes > li")).not_to_have_count(4)
    shop.locator(".picture").scroll_into_view_if_needed()
    shop.wait_for_timeout(200)  # the canvas is drawn in the next frames
    shop.page.screenshot(path=folder / "graph.png")
    phone = visit("writer", project="github.com/acme/shop", viewport={"width": 390, "height": 680})
    phone.go()
    phone.page.screenshot(path=folder / "phone.png")
    for name in NAMES:
        for place in (folder, PICTURES):
            content = (place / f"{name}.png").read_bytes()
            assert content.startswith(b"\x89PNG")
            assert len(content) < LARGEST, name
