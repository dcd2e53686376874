"""Repositories of git by seed, with a year of history, for audits that have a checkout at hand."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

DAYS = 365
START = datetime(2025, 1, 1, 12, tzinfo=UTC)
FILES = 5_000

_EDITED, _MOVED, _DELETED = 20, 2, 1
"""Files that each day's commit changes, renames and deletes."""


def day(number: int) -> str:
    """Return the date of one of the days, from 0."""
    return (START + timedelta(days=number)).date().isoformat()


def made(folder: Path, named: Sequence[str], *, files: int = FILES) -> Path:
    """Make a repository of so many files, the named ones among them, and check it out."""
    paths = [*named, *(f"more/{n % 50}/file_{n}.py" for n in range(files - len(named)))]
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    stream = "".join(_history(paths)).encode()
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "fast-import", "--quiet"], input=stream, check=True)
    subprocess.run([*git, "checkout", "--quiet", "work"], check=True)
    for path in named[:10]:  # and some that are not committed
        if (folder / path).exists():
            (folder / path).write_text("work in progress\n")
    return folder


def _history(paths: list[str]) -> Iterator[str]:
    """Yield commits in the form that ``git fast-import`` reads."""
    chance = random.Random(len(paths))
    present = list(paths)
    for number in range(DAYS):
        seconds = int((START + timedelta(days=number)).timestamp())
        yield f"commit refs/heads/work\ncommitter ada <ada@example.org> {seconds} +0000\n"
        yield "data 4\nwork\n"
        for path in present if number == 0 else chance.sample(present, _EDITED):
            text = "".join(f"line {n} of {path}\n" for n in range(30)) + f"written {number}\n"
            yield f"M 100644 inline {path}\ndata {len(text)}\n{text}\n"
        if number:
            for place in chance.sample(range(len(present)), _MOVED):
                old, present[place] = present[place], f"moved/{number}/{present[place]}"
                yield f"R {old} {present[place]}\n"
            for path in chance.sample(present, _DELETED):
                present.remove(path)
                yield f"D {path}\n"
        yield "\n"
