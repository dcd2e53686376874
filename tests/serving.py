"""Ask a server over HTTP, and start one as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import httpx2

SHARED = "0123456789abcdef0123456789abcdef"
BASE = "http://127.0.0.1:8931"
ACCEPT = "application/json, text/event-stream"


def bearer(token: str | bytes, **headers: str) -> dict[Any, Any]:
    value = token if isinstance(token, bytes) else token.encode()
    return {b"authorization": b"Bearer " + value, "accept": ACCEPT, **headers}


def rpc(method: str, number: int = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def tool(name: str, **arguments: Any) -> dict[str, Any]:
    return rpc("tools/call", name=name, arguments=arguments)


def answer(response: httpx2.Response) -> dict[str, Any]:
    """Return the JSON-RPC message of a response, streamed or not."""
    assert response.status_code == 200, response.text
    if response.headers["content-type"].startswith("application/json"):
        return response.json()
    lines = [line for line in response.text.splitlines() if line.startswith("data: {")]
    return json.loads(lines[-1].removeprefix("data: "))


class Served:
    """A server as a process.

    `url` is where it is asked, `log` the lines that it wrote, `told` what it said at its start.
    """

    def __init__(self, store: str, *options: str, token: str | None = SHARED) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PROJECT_MEMORY_")}
        if token is not None:
            environment["PROJECT_MEMORY_TOKEN"] = token
        line = ("--store", store, "serve", "--http", "--bind", "127.0.0.1:0", *options)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "project_memory", *line],
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment,
        )
        self.log: list[dict[str, Any]] = []
        self.told: list[str] = []
        self.url = self.until("serving")["url"]

    def until(self, event: str) -> dict[str, Any]:
        """Take lines of the log up to one of this event, and return that."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if not line.startswith("{"):
                self.told.append(line.rstrip("\n"))
                continue
            self.log.append(json.loads(line))
            if self.log[-1]["event"] == event:
                return self.log[-1]
        raise AssertionError((self.told, self.log))

    def end(self, number: int) -> int:
        """Send a signal, take the rest of the log, and return the exit code."""
        self.process.send_signal(number)
        assert self.process.stderr is not None
        self.log += [json.loads(line) for line in self.process.stderr]
        return self.process.wait()
