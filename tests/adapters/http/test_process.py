"""A server as a process: clients of every kind, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx2
import pytest
from factories import draft
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from serving import SHARED, Served, answer, bearer, tool

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

pytestmark = pytest.mark.anyio
Start = Callable[..., Served]
PATIENCE = 60
"""Seconds that anything may take on a busy machine."""


@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
async def test_clients_of_both_eras_do_the_main_job(served: Start, mode: str) -> None:
    server = served()
    headers = {"authorization": f"Bearer {SHARED}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(f"{server.url}/mcp?project=shop", http_client=http)
        async with Client(transport, mode=mode) as client:
            assert "recall" in [found.name for found in (await client.list_tools()).tools]
            result = await client.call_tool("recall", {"query": "database locked"})
            assert [a["id"] for a in result.structured_content["answers"]] == ["first"]
            read = await client.read_resource("memory://shop/first")
            meta = json.loads(read.contents[0].text)["meta"]
            assert meta["asserted_by"] == "user"
    assert server.end(signal.SIGTERM) == 0
    text = json.dumps(server.log)
    assert SHARED not in text
    assert "locked" not in text


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_and_what_was_counted_is_written(
    served: Start, url: str, number: int
) -> None:
    server = served()
    asked = tool("recall", query="database locked")
    answer(httpx2.post(f"{server.url}/mcp?project=shop", json=asked, headers=bearer(SHARED)))
    assert server.end(number) == 0
    assert server.log[-1]["event"] == "ended"
    with ProjectMemory.open(url, project="shop", actor=Actor("ada", Authority.USER)) as opened:
        assert opened.usage().questions == 1


def test_a_write_in_flight_is_answered_and_kept_when_a_signal_comes(
    served: Start, url: str
) -> None:
    server = served()
    call = tool("create_memory", memory=draft(id="late", description="a change that was waiting"))
    with closing(sqlite3.connect(url, isolation_level=None)) as holder, ThreadPoolExecutor() as x:
        holder.execute("BEGIN IMMEDIATE")  # nobody else can write meanwhile
        address = f"{server.url}/mcp?project=shop"
        answered = x.submit(
            httpx2.post, address, json=call, headers=bearer(SHARED), timeout=PATIENCE
        )
        until(lambda: 'tool="create_memory"} 1.0' in metrics(server))
        server.process.send_signal(signal.SIGTERM)
        until(lambda: not is_listening(server))
        assert not answered.done()
        holder.execute("COMMIT")
        response = answered.result()
        assert response.headers["content-type"] == "application/json"  # streams end at once
        assert answer(response)["result"]["isError"] is False
    assert server.end(signal.SIGTERM) == 0
    with ProjectMemory.open(url, project="shop", actor=Actor("ada", Authority.USER)) as opened:
        assert opened.get("late").memory["description"] == "a change that was waiting"


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.01)


def metrics(server: Served) -> str:
    return httpx2.get(f"{server.url}/metrics", headers=bearer(SHARED)).text


def is_listening(server: Served) -> bool:
    try:
        return httpx2.get(f"{server.url}/healthz").status_code == 200
    except httpx2.TransportError:  # refused, or cut off between the two
        return False


def test_a_body_of_five_megabytes_is_answered_over_a_connection(served: Start) -> None:
    server = served()
    response = httpx2.post(
        f"{server.url}/mcp?project=shop", content=b"x" * 5_242_880, headers=bearer(SHARED)
    )
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too-large")
    assert server.end(signal.SIGTERM) == 0


def refusal(tmp_path: Path, *options: str, token: str | None = SHARED) -> tuple[int, str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PROJECT_MEMORY_")}
    if token is not None:
        environment["PROJECT_MEMORY_TOKEN"] = token
    done = subprocess.run(
        [sys.executable, "-m", "project_memory", "--store", str(tmp_path / "memory.db"),
         "serve", *options, "--backup-dir", str(tmp_path / "backups")],
        capture_output=True, encoding="utf-8", check=False, env=environment,
    )  # fmt: skip
    assert done.stdout == ""
    return done.returncode, done.stderr.strip().removeprefix("error: ")


def test_a_start_that_cannot_be_says_why(url: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, "--http", "--bind", "127.0.0.1:0", "--tls-cert", "no.pem") == (
        2,
        "certificate 'no.pem' cannot be read (no such file or directory); name a file that this "
        "user can read with --tls-cert",
    )
    assert refusal(tmp_path, "--http", "--bind", "203.0.113.9:0")[1].endswith(
        "\nerror: '203.0.113.9:0' cannot be listened at (cannot assign requested address); use an "
        "address of this machine and a port that is free"
    )


def test_backups_are_made_beside_by_one_of_two_servers(served: Start, tmp_path: Path) -> None:
    options = ("--backup-dir", str(tmp_path / "backups"), "--backup-interval", "1d")
    servers = [served(*options), served(*options)]
    servers[0].until("background work done")
    assert len(list((tmp_path / "backups").glob("*.db"))) == 1
    for server in servers:
        assert server.end(signal.SIGTERM) == 0
    assert len(list((tmp_path / "backups").iterdir())) == 1
