"""A server that is killed under load: what it answered is there, and the store is sound."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
from factories import draft
from serving import SHARED, Served, answer, bearer, tool

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
WRITERS, ENOUGH = 4, 12
WORDS = (
    "amber brisk coral dusky eager frosty gentle hollow ivory jolly keen lunar anchor barrel "
    "candle daisy engine feather garden hammer island jacket kettle ladder"
)


def lesson(writer: int, number: int) -> str:
    """Return a text that says what it is the only one to say."""
    words = WORDS.split()
    chosen = (words[(writer * step + number) % len(words)] for step in (3, 5, 7))
    return f"writer {writer} saw the {' '.join(chosen)} fail at step {number}"


def test_what_was_answered_survives_a_kill(tmp_path: Path) -> None:
    store = str(tmp_path / "memory.db")
    ProjectMemory.open(store, project="demo", actor=ADA, create=True).close()
    acknowledged: set[str] = set()
    guard, enough = threading.Lock(), threading.Event()

    def write(writer: int, url: str) -> None:
        with httpx2.Client(headers=bearer(SHARED)) as client:
            for number in range(1000):
                name = f"made-{writer}-{number}"
                made = draft(id=name, description=lesson(writer, number))
                call = tool("create_memory", memory=made, allow_duplicate=True)
                try:
                    response = client.post(f"{url}/mcp?project=demo", json=call)
                except httpx2.TransportError:
                    return  # the server is gone
                assert not answer(response)["result"]["isError"], response.text
                with guard:
                    acknowledged.add(name)
                    if len(acknowledged) >= ENOUGH:
                        enough.set()

    server = Served(store)
    with ThreadPoolExecutor(WRITERS) as threads:
        writing = [threads.submit(write, each, server.url) for each in range(WRITERS)]
        assert enough.wait(60)
        server.process.kill()
        server.process.wait()
        for each in writing:
            each.result()
    server.process.stderr.close()

    again = Served(store)
    call = tool("search_memories", text_query="saw the", limit=500)
    found = answer(
        httpx2.post(f"{again.url}/mcp?project=demo", json=call, headers=bearer(SHARED))
    )["result"]["structuredContent"]["memories"]
    again.process.kill()
    again.process.wait()
    again.process.stderr.close()
    assert acknowledged <= {one["id"] for one in found}
    assert len(found) <= len(acknowledged) + WRITERS
    with ProjectMemory.open(store, project="demo", actor=ADA) as opened:
        assert opened.validate().ok
