"""What `speed.py` measures of a subject; times in milliseconds unless said otherwise."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

from subjects import Document, Product, Subject, mark, novel

PATIENCE = 10.0
"""Seconds after which a subject that is slow to change is asked for no more changes."""

T = TypeVar("T")

Search = Callable[[str], list[str]]
"""Query -> ids, best first."""

FRESH = Path(__file__).with_name("fresh.py")


@dataclass(frozen=True, slots=True)
class Spread:
    """Percentiles of times."""

    p50: float
    p95: float


def spread(seconds: Sequence[float]) -> Spread:
    """Return the percentiles of times given in seconds."""
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    return Spread(1000 * cuts[9], 1000 * cuts[18])


def timed(act: Callable[..., T], *arguments: Any) -> tuple[float, T]:
    """Return the seconds that a call takes, and what it returns."""
    started = time.perf_counter()
    value = act(*arguments)
    return time.perf_counter() - started, value


def warm(
    searches: Mapping[str, Search], texts: Sequence[str]
) -> tuple[dict[str, Spread], dict[str, Spread]]:
    """Return the time and the processor time of a query in each.

    They take turns, so that they meet the same noise; processor time hardly feels it.
    """
    for text in texts[:20]:
        for search in searches.values():
            search(text)
    taken: dict[str, list[float]] = {name: [] for name in searches}
    busy: dict[str, list[float]] = {name: [] for name in searches}
    for text in texts:
        for name, search in searches.items():
            started = time.process_time()
            taken[name].append(timed(search, text)[0])
            busy[name].append(time.process_time() - started)
    whole, own = ({n: spread(seconds) for n, seconds in each.items()} for each in (taken, busy))
    return whole, own


def known(search: Search, queries: Iterable[tuple[str, str]]) -> float:
    """Return the share of queries whose known answer is among the eight results."""
    return statistics.fmean(answer in search(text) for text, answer in queries)


def selected(held: Product, expressions: Iterable[str], limit: int) -> Spread:
    """Return what selecting takes, with the first `limit` memories in short."""
    return spread([timed(held.select, tree, limit)[0] for tree in expressions])


def creates(held: Subject, documents: Sequence[Document], count: int) -> tuple[float, float]:
    """Return creates a second, without and with the answer after them, which has the last."""
    taken, done = 0.0, 0
    while done < count and taken < PATIENCE:
        draft = novel(documents, done)
        taken += timed(held.create, draft)[0]
        done += 1
    seconds, found = timed(held.search, mark(done - 1))
    assert found[0] == draft["id"], found
    return done / taken, done / (taken + seconds)


def after_change(
    search: Search,
    create: Callable[[Document], object],
    documents: Sequence[Document],
    numbers: Iterable[int],
) -> Spread:
    """Return what the query after a create takes; the created must be its first answer."""
    taken: list[float] = []
    for number in numbers:
        draft = novel(documents, number)
        create(draft)
        seconds, found = timed(search, mark(number))
        assert found[0] == draft["id"], found
        taken.append(seconds)
        if len(taken) > 1 and sum(taken) > PATIENCE:
            break
    return spread(taken)


class Fresh:
    """A new process that answers from a folder; see `fresh.py`."""

    def __init__(self, system: str, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, FRESH, system, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def answer(self, line: str) -> str:
        """Return what the process writes about a line."""
        into, out = self._pipes()
        into.write(f"{line}\n")
        into.flush()
        return out.readline()

    def end(self) -> dict[str, int]:
        """End the process; return its resident memory. See `fresh.resident`."""
        told, _ = self._process.communicate()
        assert self._process.returncode == 0
        sizes: dict[str, int] = json.loads(told.splitlines()[-1])
        return sizes

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout


def cold(system: str, folder: Path, text: str, runs: int) -> list[float]:
    """Return what passes from the start of a process to its first answer, sorted."""
    taken = []
    for _ in range(runs):
        started = time.perf_counter()
        fresh = Fresh(system, folder)
        assert int(fresh.answer(text)) >= 0
        taken.append(1000 * (time.perf_counter() - started))
        fresh.end()
    return sorted(taken)


def memory(system: str, folder: Path, texts: Iterable[str]) -> dict[str, int]:
    """Return the resident memory, in bytes, of a process that answered these queries."""
    fresh = Fresh(system, folder)
    for text in texts:
        fresh.answer(text)
    return fresh.end()


def size(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
