"""A served store of its own, a browser, and for each test a project and a page at it."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from threading import Thread
from typing import Any
from urllib.parse import quote

import browsing
import pytest
from browsing import ADA
from factories import draft
from lacking import lack
from playwright.sync_api import Browser, Locator, Page, expect
from serving import Served

from project_memory.app import ProjectMemory
from project_memory.hosting import Host
from project_memory.model import Actor
from project_memory.roles import Role

NUMBERS = count(1)

expect.set_options(timeout=browsing.PATIENCE)


@dataclass(frozen=True)
class Store:
    """A store that is served, with a token for each role."""

    path: str
    url: str
    tokens: dict[str, str]

    def code(self, role: Role) -> str:
        """Return a code with which a person logs in once."""
        with Host.open(self.path) as host:
            asked = host.invite("petra", role=role, projects=None, days=1, vouching=ADA)
        return asked.code

    def project(self, name: str, actor: Actor = ADA) -> ProjectMemory:
        return ProjectMemory.open(self.path, project=name, actor=actor, create=True)


@dataclass
class Visit:
    """A page that is open at a project."""

    page: Page
    project: str
    store: Store
    watched: browsing.Watched

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)

    def memories(self, actor: Actor = ADA) -> ProjectMemory:
        return self.store.project(self.project, actor)

    def go(self, place: str = "memories") -> None:
        where = f"{self.store.url}/#/{quote(self.project, safe='')}/{place}"
        here, shown = self.page.url, self.page.query_selector("main > *")
        self.page.goto(where)
        if shown is not None and where != here:
            shown.wait_for_element_state("hidden")  # another view has taken its place
        self.settled()

    def settled(self) -> None:
        self.page.locator("main:not([aria-busy])").wait_for()

    def press(self, name: str, **more: Any) -> None:
        self.page.get_by_role("button", name=name, exact=True, **more).click()

    def sees(self, text: str) -> Locator:
        """Return what holds a text, once it is there."""
        found = self.page.get_by_text(text).first
        found.wait_for()
        return found

    def entries(self) -> list[str]:
        return self.page.locator(".entries > li h2").all_inner_texts()


@pytest.fixture(scope="session")
def chromium() -> str:
    found = browsing.program()
    if found is None:
        lack("Chromium is not installed (on Debian: apt-get install chromium)")
    return found


# not for the whole session: it holds the event loop of its thread, which others want
@pytest.fixture(scope="module")
def browser(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing.running(chromium, tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture(scope="session")
def store(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = str(tmp_path_factory.mktemp("served") / "memory.db")
    with ProjectMemory.open(path, project="hidden", actor=ADA, create=True) as opened:
        opened.create(draft(id="unseen", description="nobody without a token for it sees this"))
    with Host.open(path) as host:
        give = host.add_token
        tokens = {
            "admin": give("grace", role=Role.ADMIN, projects=None, days=1).token,
            "writer": give("wendy", role=Role.WRITER, projects=None, days=1).token,
            "reader": give("rita", role=Role.READER, projects=None, days=1).token,
        }
    server = Served(path, token=None)
    log: list[dict[str, Any]] = []
    reading = Thread(target=lambda: log.extend(map(json.loads, server.process.stderr)))
    reading.start()  # a pipe that nobody reads is full after some hundred requests
    yield Store(path, server.url, tokens)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait() == 0
    reading.join()
    server.process.stderr.close()
    assert [line for line in log if line.get("status", 0) >= 500] == []


@pytest.fixture
def visit(browser: Browser, store: Store) -> Iterator[Callable[..., Visit]]:
    """Return what opens a page at a new project, as a role or by a code; it must behave."""
    opened: list[browsing.Watched] = []

    def open_(role: str | None = "writer", *, project: str | None = None, **options: Any) -> Visit:
        name = project or f"example.org/shop-{next(NUMBERS)}"
        with store.project(name):
            pass
        options = {"viewport": {"width": 1240, "height": 900}, "locale": "en-GB", **options}
        watched = browsing.Watched(browser.new_context(**options))
        opened.append(watched)
        if role is not None:
            secret = {"token": store.tokens[role]} if role in store.tokens else {"code": role}
            answer = watched.context.request.post(
                f"{store.url}/api/v1/session",
                data=secret,
                headers={"Origin": store.url},
            )
            assert answer.ok, answer.text()
        return Visit(watched.page, name, store, watched)

    yield open_
    for watched in opened:
        watched.context.close()
    assert [fault for watched in opened for fault in watched.faults] == []
