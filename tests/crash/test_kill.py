"""A writer that is killed at any moment leaves each mutation wholly there or wholly absent.

``PROJECT_MEMORY_SOAK=200`` kills as many times; the default is 20.
"""

from __future__ import annotations

import os
import random
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from project_memory.app import ProjectMemory
from project_memory.errors import NotFound
from project_memory.model import Actor, Authority, MemoryChange
from project_memory.storage import findings, open_storage

KILLS = int(os.environ.get("PROJECT_MEMORY_SOAK", "20"))
A_STORE_LASTS = 20
ADA = Actor("ada", Authority.USER)


def killed(process, chance):
    """Let the writer work for a while, kill it, and return what it had acknowledged."""
    assert process.stdout.readline() == "ready\n"
    lines = [process.stdout.readline() for _ in range(chance.randrange(6))]
    with suppress(subprocess.TimeoutExpired):
        process.wait(chance.uniform(0, 0.03))
    assert process.poll() is None, process.stderr.read()
    process.kill()
    lines += process.stdout.readlines()
    process.wait()
    return {name for line in lines if line.endswith("\n") for name in line.split()}


def check(store, acknowledged, prefix):
    """Assert that nothing acknowledged is lost and nothing is half done."""
    # The lock is free: a writer that may not wait gets it. A server has to notice first that the
    # one who held it is gone.
    patience = 10 if is_server(store) else 0
    storage = open_storage(store, create=False, busy_timeout=patience)
    with storage.write() as writer:
        project = writer.project("demo").key
    with storage.read() as reader:
        memories = {found.id: found for found in reader.memories(project)}
        revisions = list(reader.revisions(project))
        assert reader.revision(project) == len(revisions)
    storage.close()

    made = {name for name in memories if name.startswith(f"{prefix}-")}
    assert acknowledged <= made
    by_revision = [{c.id for c in r.changes if _is_new(c)} for r in revisions]
    unacknowledged = [new for new in by_revision if new & (made - acknowledged)]
    assert len(unacknowledged) <= 1
    assert all(new <= made - acknowledged for new in unacknowledged)

    # The change feed and the store tell one story.
    assert [revision.number for revision in revisions] == list(range(1, len(revisions) + 1))
    told = {}
    for revision in revisions:
        for change in revision.changes:
            if isinstance(change, MemoryChange):
                assert told.get(change.key) == change.before
                told[change.key] = change.after
    assert {one.id: one for one in told.values()} == memories

    with ProjectMemory.open(store, project="demo", actor=ADA) as memory:
        report = memory.validate()
    assert report.ok, report.problems
    assert report.checked == len(memories)


def is_server(store):
    return store.startswith("postgresql:")


def unsound(store):
    """Return what is found unsound, but that our server may forget when the machine stops."""
    return [finding for finding in findings(store) if "'fsync' off" not in finding]


def _is_new(change):
    return isinstance(change, MemoryChange) and change.before is None


@pytest.mark.parametrize("first_kill", range(0, KILLS, A_STORE_LASTS))
def test_a_killed_writer_leaves_whole_mutations_only(store, start, first_kill):
    for number in range(first_kill, min(KILLS, first_kill + A_STORE_LASTS)):
        process = start("grow", store, f"kill-{number}")
        acknowledged = killed(process, random.Random(number))
        check(store, acknowledged, f"kill-{number}")
    assert unsound(store) == []


@pytest.mark.parametrize("number", range(max(5, KILLS // 10)))
def test_a_killed_creator_leaves_a_whole_store_or_none(place, start, number):
    chance = random.Random(number)
    process = start("begin", place)
    assert process.stdout.readline() == "ready\n"
    with suppress(subprocess.TimeoutExpired):
        process.wait(chance.uniform(0, 0.06))
    process.kill()
    begun = "begun\n" in process.stdout.readlines()
    process.wait()
    try:
        open_storage(place, create=False).close()
    except NotFound:
        assert not begun
        assert is_server(place) or not Path(place).exists()
    with ProjectMemory.open(place, project="demo", actor=ADA, create=True) as memory:
        assert memory.stats().labels > 0
        assert memory.validate().ok
