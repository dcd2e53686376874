"""Ask a served store by many clients at once, and count what was acknowledged afterwards.

    python benchmarks/load.py --seconds 60
    python benchmarks/load.py --store postgresql://ada@db.example.org/empty --seconds 60

Nine requests in ten are a recall, one creates a memory with two links. Every client has a
connection of its own over loopback and asks again as soon as it is answered, each client a server
in turns. It ends with 1 where a request was refused or failed, or where a memory that was
acknowledged is not in the store when the servers have ended.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import resource
import secrets
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import lessons
import product
import subjects
from processes import Server
from tables import head, row

from project_memory.app import ProjectMemory

PERCENTILES = (50, 95, 99)
WRITES = 0.1
PATIENCE = 60.0
"""Seconds after which a request that nobody answered is an error."""


@dataclass
class Told:
    """What one client was told: seconds of each answer by kind, ids that were acknowledged."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {"recall": [], "create": []})
    acknowledged: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Client:
    """One connection that asks for one thing after another."""

    def __init__(self, url: str, token: str, patience: float = PATIENCE) -> None:
        parts = urlsplit(url)
        self._connection = HTTPConnection(str(parts.hostname), parts.port, timeout=patience)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }

    def call(self, tool: str, arguments: dict[str, Any]) -> str | None:
        """Call a tool; return what went wrong, or None."""
        params = {"name": tool, "arguments": arguments}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        path = f"/mcp?project={product.PROJECT}"
        try:
            self._connection.request("POST", path, body, self._headers)
            response = self._connection.getresponse()
            text = response.read().decode()
        except (OSError, HTTPException) as error:
            self._connection.close()  # the next request begins another one
            return f"{type(error).__name__}: {error}"
        return None if response.status == 200 and _is_result(text) else text[:300]

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


def main() -> None:
    """Fill a store, serve it, ask, and count."""
    options = _options()
    documents = list(lessons.generate(options.size))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = options.store or str(folder / "store.db")
        _fill(store, documents)
        count = options.servers or (2 if options.store else 1)
        token = secrets.token_urlsafe(32)
        servers = [
            stack.enter_context(Server(store, folder / f"{number}.log", token))
            for number in range(count)
        ]
        told, elapsed = _asked([each.url for each in servers], token, documents, options)
        ended = [each.end() for each in servers]
        lost = _lost(store, told)
    _tell(told, elapsed, options)
    print(_summary(told, lost, count))
    wrong = [error for one in told for error in one.errors]
    for error in wrong[:10]:
        print(error, file=sys.stderr)
    sys.exit(1 if wrong or lost or any(ended) else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--store", help="URL of an empty database (default: a SQLite file)")
    parser.add_argument("--seconds", type=float, default=60, help="how long clients ask")
    parser.add_argument("--clients", type=int, default=50, help="how many ask at once")
    parser.add_argument("--size", type=int, default=10_000, help="memories in the store, from 8")
    parser.add_argument("--servers", type=int, help="how many (default: 1, with --store 2)")
    return parser.parse_args()


def _fill(store: str, documents: Sequence[dict[str, Any]]) -> None:
    with _opened(store) as memory:
        if memory.memory_ids():
            sys.exit("the store holds memories; give an empty database")
        product.register(memory, lessons.labels60())
        product.write_lessons(memory, documents)


def _opened(store: str) -> ProjectMemory:
    return ProjectMemory.open(store, project=product.PROJECT, actor=product.ACTOR, create=True)


def _asked(
    urls: Sequence[str],
    token: str,
    documents: Sequence[dict[str, Any]],
    options: argparse.Namespace,
) -> tuple[list[Told], float]:
    """Return what each client was told, and the seconds that all of it took."""
    questions = [text for text, _ in lessons.queries(documents, 1000)]
    for url in urls:  # a server reads its index when it is first asked
        _check(Client(url, token, 10 * PATIENCE).call("recall", {"query": questions[0]}))
    numbers, started = itertools.count(), threading.Barrier(options.clients + 1)

    def ask(place: int) -> Told:
        client, told = Client(urls[place % len(urls)], token), Told()
        started.wait()
        ends = time.monotonic() + options.seconds
        for tool, arguments in _requests(place, questions, documents, numbers):
            if time.monotonic() >= ends:
                break
            _ask(client, told, tool, arguments)
        client.close()
        return told

    with ThreadPoolExecutor(options.clients) as threads:
        asking = [threads.submit(ask, place) for place in range(options.clients)]
        started.wait()
        began = time.monotonic()
        told = [each.result() for each in asking]
    return told, time.monotonic() - began


def _requests(
    place: int,
    questions: Sequence[str],
    documents: Sequence[dict[str, Any]],
    numbers: Iterator[int],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield tool and arguments without end; `numbers` tells the memories of all clients apart."""
    chance = random.Random(place)
    while True:
        if chance.random() < WRITES:
            memory = subjects.novel(documents, next(numbers))
            yield "create_memory", {"memory": memory, "allow_duplicate": True}
        else:
            yield "recall", {"query": chance.choice(questions)}


def _ask(client: Client, told: Told, tool: str, arguments: dict[str, Any]) -> None:
    began = time.perf_counter()
    wrong = client.call(tool, arguments)
    seconds = time.perf_counter() - began
    if wrong is not None:
        told.errors.append(f"{tool}: {wrong}")
        return
    told.seconds[tool.partition("_")[0]].append(seconds)
    if tool == "create_memory":
        told.acknowledged.append(arguments["memory"]["id"])


def _is_result(text: str) -> bool:
    """Return whether a body, streamed or not, holds the result of a tool that did its work."""
    lines = [line.removeprefix("data: ") for line in text.splitlines() if '"jsonrpc"' in line]
    message = json.loads(lines[-1]) if lines else {}
    return "result" in message and not message["result"].get("isError")


def _check(wrong: str | None) -> None:
    if wrong is not None:
        sys.exit(f"the server does not answer: {wrong}")


def _lost(store: str, told: Sequence[Told]) -> int:
    """Return how many memories were acknowledged and are not in the store."""
    with _opened(store) as memory:
        return len({name for one in told for name in one.acknowledged} - {*memory.memory_ids()})


def _tell(told: Sequence[Told], elapsed: float, options: argparse.Namespace) -> None:
    columns = [f"p{place}, ms" for place in PERCENTILES]
    title = f"{options.clients} clients, {options.size} memories"
    print("\n".join(head([title, "answers", "a second", *columns])))
    for kind in ("recall", "create"):
        seconds = sorted(value for one in told for value in one.seconds[kind])
        spread = [f"{1000 * percentile(seconds, place):.0f}" for place in PERCENTILES]
        print(row([kind, str(len(seconds)), f"{len(seconds) / elapsed:.1f}", *spread]))


def _summary(told: Sequence[Told], lost: int, servers: int) -> str:
    errors = sum(len(one.errors) for one in told)
    acknowledged = sum(len(one.acknowledged) for one in told)
    answers = sum(len(values) for one in told for values in one.seconds.values())
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = 1000 * (used.ru_utime + used.ru_stime) / max(answers, 1)
    return (
        f"{errors} errors, {lost} of {acknowledged} acknowledged memories lost; {servers} "
        f"server(s), {spent:.1f} ms of a processor an answer, their start included"
    )


def percentile(ordered: Sequence[float], place: int) -> float:
    """Return the value that so many in a hundred do not exceed (nearest rank); 0 of none."""
    return ordered[math.ceil(place / 100 * len(ordered)) - 1] if ordered else 0.0


if __name__ == "__main__":
    main()
