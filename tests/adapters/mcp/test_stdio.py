"""The server as a process: lines in, lines out, whatever comes in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from factories import draft
from mcp import Client
from mcp.client.stdio import StdioServerParameters

HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
SERVE = "-m", "project_memory"
# The server with a recall that prints, writes past Python, and waits as long as it is told to.
LOUD = """
import os, sys, threading
from project_memory.app import ProjectMemory
from project_memory.mcp_server import serve_stdio
from project_memory.model import Actor, Authority
recall = ProjectMemory.recall
def loud(self, *, limit=8, **query):
    print("printed")
    os.write(1, b"written past Python\\n")
    if limit == 99:
        print("waiting", file=sys.stderr, flush=True)
        threading.Event().wait()
    return recall(self, **query)
ProjectMemory.recall = loud
print("before")
serve_stdio(sys.argv[1], "a/b", Actor("ada", Authority.USER))
"""
# The server with all the time it needs after the end, however busy the machine is.
PATIENT = """
import sys, project_memory.mcp_server as server
from project_memory.mcp_server import transport
from project_memory.model import Actor, Authority
server._PATIENCE = transport.GRACE = 60
server.serve_stdio(sys.argv[1], "a/b", Actor("ada", Authority.USER))
"""


def request(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def started(*command: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    buffered = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.Popen(
        [sys.executable, *command],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        encoding="utf-8",
        env=buffered,
    )


@pytest.fixture
def server(url: str) -> Iterator[subprocess.Popen[str]]:
    process = started(*SERVE, "--store", url, "--project", "a/b", "serve")
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def patient(url: str) -> Iterator[subprocess.Popen[str]]:
    process = started("-c", PATIENT, url)
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def loud(url: str) -> Iterator[subprocess.Popen[str]]:
    process = started("-c", LOUD, url)
    yield process
    process.kill()
    process.communicate()


def send(process: subprocess.Popen[str], *lines: object) -> None:
    for line in lines:
        process.stdin.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
    process.stdin.flush()


def ask(process: subprocess.Popen[str], line: object) -> dict[str, Any]:
    send(process, line)
    return json.loads(process.stdout.readline())


def error(number: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


NO_JSON = "the line is no JSON; send one message on one line"


def test_a_bad_line_is_answered_and_a_blank_one_passed_over(server) -> None:
    assert ask(server, "{broken") == error(None, -32700, NO_JSON)
    assert ask(server, "[" * 100_000) == error(None, -32700, NO_JSON)
    send(server, "", "   ")
    answer = ask(server, HELLO)
    assert (answer["id"], answer["result"]["serverInfo"]["name"]) == ("hello", "project-memory")
    send(server, READY)
    line = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\\ud800"}}'
    assert ask(server, line)["id"] == 7
    assert ask(server, request(8, "recall", query="x"))["id"] == 8


def test_what_was_asked_is_answered_before_the_end(patient) -> None:
    asked = [
        request(
            number,
            "create_memory",
            memory=draft(
                id=f"memory-{number}", description=f"Lesson {number} of those that came at once"
            ),
        )
        for number in range(8)
    ]
    ask(patient, HELLO)
    send(patient, READY)
    output, _ = patient.communicate("\n".join(map(json.dumps, asked)))  # no last line break
    answers = {answer["id"]: answer for answer in map(json.loads, output.splitlines())}
    assert answers.keys() == set(range(8))
    assert not [n for n in range(8) if answers[n]["result"]["isError"]]


def test_the_process_ends_with_its_input(server) -> None:
    ask(server, HELLO)
    server.stdin.close()
    assert server.wait(timeout=60) == 0
    assert server.stderr.read() == ""
    server.stdin = None


def test_a_call_that_hangs_does_not_keep_the_process(loud) -> None:
    ask(loud, HELLO)
    send(loud, READY, request(1, "recall", limit=99))
    lines = iter(loud.stderr.readline, "")
    assert "waiting\n" in lines
    loud.stdin.close()
    assert loud.wait(timeout=60) == 0
    loud.stdin = None


def test_only_messages_reach_standard_output(loud) -> None:
    assert ask(loud, HELLO)["id"] == "hello"
    send(loud, READY)
    answer = ask(loud, request(1, "recall", query="anything"))
    assert answer["result"]["structuredContent"]["nothing_relevant"] is True
    output, errors = loud.communicate()
    assert output == ""
    assert errors.splitlines() == ["before", "printed", "written past Python"]


def test_whoever_starts_the_server_an_agent_speaks_through_it(loud) -> None:
    ask(loud, HELLO)
    send(loud, READY)
    ask(loud, request(1, "create_memory", memory=draft(id="first")))
    reading = ask(loud, request(2, "get_memory", id="first"))["result"]["structuredContent"]
    assert (reading["meta"]["author"], reading["meta"]["asserted_by"]) == ("ada", "agent")


def test_an_interrupt_ends_the_process(server) -> None:
    ask(server, HELLO)
    server.send_signal(2)
    assert server.wait(timeout=60) == -2


def test_a_client_that_stops_reading_ends_the_process_quietly(server) -> None:
    ask(server, HELLO)
    server.stdout.close()
    send(server, READY, request(1, "recall", query="anything"))
    server.stdin.close()
    assert server.wait(timeout=60) == 0
    assert server.stderr.read() == ""
    server.stdin, server.stdout = None, None


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
async def test_the_sdks_own_client_does_the_main_job(url: str, mode: str) -> None:
    arguments = [*SERVE, "--store", url, "--project", "a/b", "serve"]
    server = StdioServerParameters(command=sys.executable, args=arguments)
    async with Client(server, mode=mode) as client:
        await client.call_tool("create_memory", {"memory": draft(id="first")})
        found = await client.call_tool("recall", {"query": "writers get a locked database"})
        refused = await client.call_tool("create_memory", {"memory": {}})
    assert [hit["id"] for hit in found.structured_content["answers"]] == ["first"]
    assert refused.is_error
