"""A write by one process is in the next recall of another."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from factories import draft

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

ROUNDS = 100
ADA = Actor("ada", Authority.USER)
OTHER = """
import json, sys
from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

bob = Actor("bob", Authority.USER)
with ProjectMemory.open(sys.argv[1], project="demo", actor=bob) as memory:
    for line in sys.stdin:
        asked = json.loads(line)
        found = [hit.id for hit in memory.recall(query=asked["query"], limit=50).answers]
        memory.create(asked["draft"])
        print(json.dumps(found), flush=True)
"""


def test_two_processes_take_turns_and_each_finds_what_the_other_wrote(tmp_path: Path) -> None:
    url = str(tmp_path / "store.db")
    with (
        ProjectMemory.open(url, project="demo", actor=ADA, create=True) as memory,
        subprocess.Popen(
            [sys.executable, "-c", OTHER, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as other,
    ):
        for number in range(ROUNDS):
            mine, theirs = f"mine-{number}", f"theirs-{number}"
            memory.create(draft(id=mine, description=f"what ada wrote of topic quux{number}a"))
            asked = {
                "query": f"quux{number}a",
                "draft": draft(id=theirs, description=f"what bob wrote of topic quux{number}b"),
            }
            other.stdin.write(json.dumps(asked) + "\n")
            other.stdin.flush()
            assert mine in json.loads(other.stdout.readline())
            assert theirs in [hit.id for hit in memory.recall(query=f"quux{number}b").answers]
        other.stdin.close()
        assert other.wait(timeout=10) == 0
