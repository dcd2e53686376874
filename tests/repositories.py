"""Repositories of git that a test writes commit by commit, on days that it chooses."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

PERSON = {
    "GIT_AUTHOR_NAME": "ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


class Repository:
    """A repository with its work tree."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def git(self, *arguments: str, day: str = "2026-01-01T12:00:00Z") -> str:
        """Return what a git command prints, run as if on a day."""
        moment = day if "T" in day else f"{day}T12:00:00Z"
        dates = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        done = subprocess.run(
            ["git", "-C", str(self.root), "-c", "protocol.file.allow=always", *arguments],
            env={**os.environ, **PERSON, **dates},
            capture_output=True,
            check=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, files: Mapping[str, str | None]) -> None:
        """Write files; None takes one away."""
        for name, content in files.items():
            path = self.root / name
            if content is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, "utf-8")

    def commit(self, day: str, files: Mapping[str, str | None] | None = None) -> str:
        """Commit the whole work tree, after writing these files, and return the commit."""
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--allow-empty", "--quiet", "--message", "a change", day=day)
        return self.git("rev-parse", "HEAD")
