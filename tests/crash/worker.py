"""One process of the crash tests: does what it is told to a store, one line for each success.

worker.py grow STORE PREFIX             memories with links, without end, until it is killed
worker.py create STORE NUMBER COUNT     COUNT memories, each linked to two of the shared ones
worker.py duplicate STORE               for each line of stdin, the memory of that id
worker.py share STORE                   for each line of stdin, a memory of that id, or with a
                                        question mark the ids that are recalled by the line
worker.py work STORE NAME HOW           a worker with a lease of two seconds: takes a job and hangs
                                        in it, or tries to do it for each line of stdin
worker.py begin STORE                   a new store with a project
worker.py purge STORE POINT             purge `leaked`, and be killed at a point of it
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing
from datetime import timedelta
from itertools import count
from threading import Event

from project_memory.app import ProjectMemory
from project_memory.errors import ProjectMemoryError
from project_memory.jobs import Kind
from project_memory.model import Actor, Authority, system_clock
from project_memory.services import indexes, snapshots, sweeping
from project_memory.services.working import Task, Worker
from project_memory.storage import open_storage
from project_memory.storage.postgres import PostgresStorage
from project_memory.storage.sqlite import SqliteStorage

SHARED = ("shared-one", "shared-two", "shared-three", "shared-four")
REASON = "both were met in the same outage"


def draft(name, *targets):
    links = [{"id": target, "reason": REASON} for target in targets]
    return {
        "id": name,
        "description": f"What was learned under the name of {name}",
        "labels": ["kind:bug"],
        "remembered_facts": [f"a fact about {name}"],
        "relationships": {"related": links},
    }


def opened(store, *, create=False):
    actor = Actor(f"worker-{sys.argv[1]}", Authority.USER)
    return ProjectMemory.open(store, project="demo", actor=actor, create=create)


def say(*words):
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def grow(store, prefix):
    """Every mutation touches several memories; a line names what an acknowledged one made."""
    with opened(store) as memory:
        say("ready")
        older = [SHARED[0], SHARED[1]]
        for number in count():
            name, twin = f"{prefix}-{number}", f"{prefix}-{number}-twin"
            if number % 3 == 0:
                pair = [draft(twin, older[-1]), draft(name, twin, older[-2])]
                memory.apply([{"op": "create", "memory": one} for one in pair])
                say(name, twin)
            else:
                supersedes = {"supersedes": [older[-1]]} if number % 3 == 1 else {}
                one = draft(name, older[-1], older[-2])
                one["relationships"] |= supersedes
                memory.create(one)
                say(name)
            older.append(name)


def create(store, number, times):
    with opened(store) as memory:
        for turn in range(int(times)):
            first, second = SHARED[turn % 4], SHARED[(turn + 1) % 4]
            memory.create(draft(f"worker-{number}-{turn}", first, second))
            say(f"worker-{number}-{turn}")


def duplicate(store):
    with opened(store) as memory:
        say("ready")
        for line in sys.stdin:
            try:
                receipt = memory.create(draft(line.strip()))
            except ProjectMemoryError as error:
                say(error.code)
            else:
                say("created", receipt.revision)


def work(store, name, how):
    def hang():
        say("at it")
        Event().wait()

    with closing(open_storage(store, create=False)) as storage:
        worker = Worker(storage, name, system_clock, lease=timedelta(seconds=2))
        if how == "hang":
            worker.do(Task(Kind.INDEX, None, timedelta(hours=1), hang))
        for _ in sys.stdin:
            job = worker.do(Task(Kind.INDEX, None, timedelta(hours=1), lambda: {"by": name}))
            say(*(("done", job.result["by"]) if job else ("nothing",)))


def share(store):
    with opened(store) as memory:
        say("ready")
        for line in sys.stdin:
            word, asked, _ = line.strip().partition("?")
            if asked:
                say(*sorted(hit.id for hit in memory.recall(query=word).answers))
            else:
                memory.create(draft(word))
                say("created")


def begin(store):
    say("ready")
    with opened(store, create=True):
        say("begun")


def purge(store, point):
    """Be killed right before what is to be done at the point; an index is kept beforehand."""
    snapshots.WORTH = indexes.FEW = 1
    with opened(store) as memory:
        memory.recall(query="vault")
    if point == "commit":
        patched = sweeping, "forget_indexes"
    elif point == "indexes":
        patched = sweeping, "finish"
    else:
        patched = (PostgresStorage if store.startswith("postgresql:") else SqliteStorage), "sweep"
    memory = opened(store)
    held = getattr(*patched)

    def killed(*arguments):
        if point == "settled":
            held(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(*patched, killed)
    memory.purge("leaked")


if __name__ == "__main__":
    every = (grow, create, duplicate, work, share, begin, purge)
    commands = {each.__name__: each for each in every}
    commands[sys.argv[1]](*sys.argv[2:])
