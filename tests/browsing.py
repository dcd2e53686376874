"""A browser for tests: Debian's Chromium without a download, and what pages must not do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
CODEX = Actor("codex", Authority.AGENT)

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 20_000
"""Milliseconds until what does not happen has failed; a busy machine is slow."""

# the page itself is told of refusals, and says them; a browser notes each besides
EXPECTED = "Failed to load resource"


def program() -> str | None:
    """Return the path of a Chromium, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@contextmanager
def running(executable: str, home: Path) -> Iterator[Browser]:
    """Start a browser, and end it; it writes under `home` alone."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            # as root it has no sandbox of its own, and it is given nothing but this page
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        )
        yield browser
        browser.close()


class Watched:
    """A page in a context of its own; `faults` is what it did that none should."""

    def __init__(self, context: BrowserContext) -> None:
        self.context, self.faults = context, list[str]()
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and EXPECTED not in message.text:
            self.faults.append(f"{message.type}: {message.text}")
