"""The server as a process: lines in, lines out, whatever comes in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture
def server(tmp_path: Path):
    path = str(tmp_path / "memory.db")
    ada = Actor("ada", Authority.USER)
    ProjectMemory.open(path, project="demo", actor=ada, create=True).close()
    command = [sys.executable, "-m", "project_memory", "--store", path, "--project", "demo"]
    process = subprocess.Popen(
        [*command, "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def ask(process: subprocess.Popen[str], line: object) -> dict:
    text = line if isinstance(line, str) else json.dumps(line)
    process.stdin.write(text + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def test_a_malformed_line_is_answered_and_a_blank_one_passed_over(server) -> None:
    parse_error = {
        "jsonrpc": "2.0",
        "id": None,
        "error": {
            "code": -32700,
            "message": "the line is no JSON-RPC message; send one JSON object",
        },
    }
    assert ask(server, "{broken") == parse_error
    assert ask(server, "[" * 100_000) == parse_error
    server.stdin.write("\n   \n")
    answer = ask(server, HELLO)
    assert answer["id"] == 1
    assert answer["result"]["serverInfo"]["name"] == "project-memory"


def test_the_process_ends_within_a_second_of_its_input(server) -> None:
    ask(server, HELLO)
    server.stdin.close()
    assert server.wait(timeout=1) == 0
    server.stdin = None


def test_only_messages_reach_standard_output(server) -> None:
    ask(server, HELLO)
    server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "recall", "arguments": {"query": "anything"}},
    }
    answer = ask(server, call)
    assert answer["result"]["structuredContent"]["nothing_relevant"] is True
