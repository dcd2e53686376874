"""What `speed.py` measures of a subject."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

from subjects import Document, Product, Subject, mark, novel
from timing import Cost, rate, timed, total

WARMING = 20
PATIENCE = 10.0
"""Seconds after which a subject that is slow to change is asked for no more changes."""

Search = Callable[[str], list[str]]
"""Query -> ids, best first."""

FRESH = Path(__file__).with_name("fresh.py")


def warm(searches: Mapping[str, Search], texts: Sequence[str]) -> dict[str, list[Cost]]:
    """Return what each query costs in each; they take turns, so that they meet the same noise."""
    for text in texts[:WARMING]:
        for search in searches.values():
            search(text)
    spent: dict[str, list[Cost]] = {name: [] for name in searches}
    for text in texts:
        for name, search in searches.items():
            spent[name].append(timed(search, text)[0])
    return spent


def known(search: Search, queries: Iterable[tuple[str, str]]) -> float:
    """Return the share of queries whose known answer is among the eight results."""
    return statistics.fmean(answer in search(text) for text, answer in queries)


def selected(held: Product, expressions: Sequence[str], limit: int) -> list[Cost]:
    """Return what selecting costs, with the first `limit` memories in short; the second time."""
    for tree in expressions:
        held.select(tree, limit)
    return [timed(held.select, tree, limit)[0] for tree in expressions]


def creates(held: Subject, documents: Sequence[Document], count: int) -> tuple[Cost, Cost]:
    """Return creates a second, without and with the answer after them, which has the last."""
    spent: list[Cost] = []
    while len(spent) < count and total(spent).clock < PATIENCE:
        draft = novel(documents, len(spent))
        spent.append(timed(held.create, draft)[0])
    answer, found = timed(held.search, mark(len(spent) - 1))
    assert found[0] == draft["id"], found
    alone = total(spent)
    return rate(len(spent), alone), rate(len(spent), alone + answer)


def after_change(
    search: Search,
    create: Callable[[Document], object],
    documents: Sequence[Document],
    numbers: Iterable[int],
) -> list[Cost]:
    """Return what the query after a create costs; the created must be its first answer."""
    began, spent = time.perf_counter(), []
    for number in numbers:
        draft = novel(documents, number)
        create(draft)
        cost, found = timed(search, mark(number))
        assert found[0] == draft["id"], found
        spent.append(cost)
        if len(spent) > 1 and time.perf_counter() - began > PATIENCE:
            break
    return spent


class Fresh:
    """A new process that answers from a folder; see `fresh.py`.

    Its modules are compiled, as those of an installed package are: the first process of a kind
    sees to it.
    """

    def __init__(self, system: str, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, FRESH, system, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        )

    def answer(self, line: str) -> float:
        """Have a line answered; return the processor time of the process so far, in seconds."""
        into, out = self._pipes()
        into.write(f"{line}\n")
        into.flush()
        return float(out.readline())

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


def cold(system: str, folder: Path, text: str, runs: int) -> list[Cost]:
    """Return what each of some processes costs from its start to its first answer."""
    spent = []
    for _ in range(runs):
        started = time.perf_counter()
        fresh = Fresh(system, folder)
        processor = fresh.answer(text)
        spent.append(Cost(time.perf_counter() - started, processor))
        fresh.end()
    return spent


def memory(system: str, folder: Path, texts: Iterable[str]) -> dict[str, int]:
    """Return the resident memory, in bytes, of a process that answered these queries."""
    fresh = Fresh(system, folder)
    for text in texts:
        fresh.answer(text)
    return fresh.end()


def size(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
