from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

WORKER = Path(__file__).parent / "worker.py"
SHARED = ("shared-one", "shared-two", "shared-three", "shared-four")


@pytest.fixture(params=["sqlite", "postgres"])
def place(request) -> str:
    """Return the path of a file, or the URL of a database, without a store."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres")()
    return str(request.getfixturevalue("tmp_path") / "memory.db")


@pytest.fixture
def store(place) -> str:
    """Return where a store with the shared memories is."""
    actor = Actor("ada", Authority.USER)
    with ProjectMemory.open(place, project="demo", actor=actor, create=True) as memory:
        for name in SHARED:
            memory.create(
                {
                    "id": name,
                    "description": f"What many others refer to as {name}",
                    "labels": ["kind:bug"],
                    "remembered_facts": [f"a fact about {name}"],
                }
            )
    return place


@contextmanager
def _running(*arguments):
    command = [sys.executable, "-W", "error", str(WORKER), *map(str, arguments)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def start():
    """Return what starts a worker; it is killed at the end of the test."""
    with ExitStack() as running:
        yield lambda *arguments: running.enter_context(_running(*arguments))
