"""Several processes write one store at once."""

from __future__ import annotations

from collections import Counter

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority
from project_memory.storage import open_storage

ADA = Actor("ada", Authority.USER)
SHARED = ("shared-one", "shared-two", "shared-three", "shared-four")


def related(memory):
    return {link["id"] for link in memory.document["relationships"]["related"]}


def test_eight_processes_create_fifty_memories_each_and_every_link_holds(store, start):
    workers = [start("create", store, number, 50) for number in range(8)]
    outputs = [worker.communicate(timeout=300) for worker in workers]
    assert [errors for _, errors in outputs] == [""] * 8
    made = {name for output, _ in outputs for name in output.split()}
    assert made == {f"worker-{number}-{turn}" for number in range(8) for turn in range(50)}

    storage = open_storage(store, create=False)
    with storage.read() as reader:
        project = reader.project("demo").key
        memories = {found.id: found for found in reader.memories(project)}
        assert reader.revision(project) == 1 + len(SHARED) + 400
    storage.close()
    assert memories.keys() == made | set(SHARED)
    assert Counter(len(related(memories[name])) for name in made) == {2: 400}
    # Of fifty turns, 13, 13, 12 and 12 begin with each shared memory, and it is second once more
    # for each that begins with the one before it.
    sizes = [len(related(memories[name])) for name in SHARED]
    assert sizes == [8 * (13 + 12), 8 * (13 + 13), 8 * (12 + 13), 8 * (12 + 12)]
    for name, found in memories.items():
        assert all(name in related(memories[target]) for target in related(found))

    with ProjectMemory.open(store, project="demo", actor=ADA) as memory:
        report = memory.validate()
    assert report.ok, report.problems


def test_of_two_that_create_the_same_memory_exactly_one_wins(store, start):
    workers = [start("duplicate", store) for _ in range(2)]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for turn in range(12):
        for worker in workers:
            worker.stdin.write(f"same-memory-{turn}\n")
            worker.stdin.flush()
        answers = sorted(worker.stdout.readline().strip() for worker in workers)
        assert answers == [f"created {6 + turn}", "memory-exists"]
    for worker in workers:
        assert worker.communicate(timeout=60) == ("", "")
    with ProjectMemory.open(store, project="demo", actor=ADA) as memory:
        assert memory.stats().memories == 4 + 12
        assert memory.validate().ok


def test_what_one_process_writes_is_in_the_next_answer_of_another(store, start):
    workers = [start("share", store) for _ in range(2)]

    def told(worker, line):
        worker.stdin.write(f"{line}\n")
        worker.stdin.flush()
        return worker.stdout.readline().split()

    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    written = []
    for turn in range(8):
        writing, asking = workers[turn % 2], workers[1 - turn % 2]
        name = f"quokka-{turn}"
        assert told(writing, name) == ["created"]
        written.append(name)
        assert told(asking, "quokka?") == written
    for worker in workers:
        assert worker.communicate(timeout=60) == ("", "")
