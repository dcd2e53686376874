"""What a create costs in a large store against a small one: ``python benchmarks/create_cost.py``.

Both stores are filled with linked memories and their history, then creates with two links each
alternate between them. Storage, validation, mirrors and history count; the search index does not.
Prints medians of processor and wall time, and the ratios. Exit code 1 if the processor time in
the large store is more than 1.5 times that in the small one.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from project_memory import documents, duplicates
from project_memory.app import ProjectMemory
from project_memory.model import (
    Actor,
    Authority,
    Memory,
    MemoryChange,
    Revision,
    Status,
    timestamp,
)
from project_memory.storage import open_storage

SMALL, LARGE, CREATES, LIMIT = 100, 10_000, 150, 1.5
ADA = Actor("ada", Authority.USER)
MOMENT = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
REASON = "both were met in the same outage"
WORDS = (
    "cache",
    "lock",
    "index",
    "shader",
    "token",
    "parser",
    "retry",
    "build",
    "socket",
    "query",
)


def draft(number: int, targets: list[int]) -> dict[str, object]:
    """Return a draft of ordinary size, linked to these memories."""
    words = random.Random(number)
    said = [" ".join(words.choices(WORDS, k=12)) for _ in range(8)]
    links = [{"id": f"memory-{target}", "reason": REASON} for target in targets]
    return {
        "id": f"memory-{number}",
        "description": f"Number {number}: {said[0]}",
        "labels": ["kind:bug", "context:runtime"],
        "triggers": said[1:3],
        "remembered_facts": said[3:6],
        "solution_pattern": said[6:7],
        "pitfalls": said[7:8],
        "relationships": {"related": links},
    }


def filled(path: Path, size: int) -> None:
    """Make a store of this many memories, linked in pairs, each with a revision of its own."""
    ProjectMemory.open(str(path), project="demo", actor=ADA, create=True).close()
    with closing(open_storage(str(path), create=False)) as storage, storage.write() as writer:
        project = writer.project("demo")
        assert project is not None
        for number in range(size):
            found = stored(writer.next_key(), number)
            imprint = duplicates.imprint(documents.lesson(found.document))
            digest = documents.text_digest(found.document)
            writer.put_memory(project.key, found, digest, *imprint)
            writer.append_revision(project.key, made(project.revision + 1 + number, found))


def stored(key: int, number: int) -> Memory:
    """Return a memory as the store keeps it, linked to the other one of its pair."""
    document = documents.from_draft(
        draft(number, [number ^ 1]), project="demo", today=MOMENT.date(), taken=lambda _: False
    )
    time = timestamp(MOMENT)
    return Memory(key, document, Status.ACTIVE, 1, 1, time, time, ADA.name, ADA.authority)


def made(number: int, memory: Memory) -> Revision:
    """Return the revision that made a memory."""
    changes = (MemoryChange(None, memory),)
    return Revision(number, ADA, "create", None, timestamp(MOMENT), changes)


class Store:
    """A filled store, and what each create in it took: (processor, wall) seconds."""

    def __init__(self, folder: str, size: int) -> None:
        path = Path(folder) / f"{size}.db"
        filled(path, size)
        self.size = size
        self.memory = ProjectMemory.open(str(path), project="demo", actor=ADA)
        self.taken: list[tuple[float, float]] = []
        # As many memories are linked to in either store, so that they grow alike.
        self.targets = range(0, size, size // SMALL)

    def create(self, number: int) -> None:
        """Create one memory with two links, and note what it took."""
        targets = random.Random(number).sample(self.targets, 2)
        new = draft(1_000_000 + number, targets)
        processor, wall = time.process_time(), time.perf_counter()
        self.memory.create(new)
        self.taken.append((time.process_time() - processor, time.perf_counter() - wall))

    def medians(self) -> tuple[float, float]:
        """Return the median processor and wall time of a create, in milliseconds."""
        processor, wall = zip(*self.taken, strict=True)
        return 1000 * statistics.median(processor), 1000 * statistics.median(wall)


def main() -> int:
    """Measure and print; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        stores = [Store(folder, size) for size in (SMALL, LARGE)]
        for number in range(CREATES):
            for store in stores:
                store.create(number)
        for store in stores:
            assert store.memory.validate().ok
            store.memory.close()
    small, large = (store.medians() for store in stores)
    for store, (processor, wall) in zip(stores, (small, large), strict=True):
        print(f"{store.size} memories\t{processor:.2f} ms processor\t{wall:.2f} ms wall")
    ratios = [after / before for before, after in zip(small, large, strict=True)]
    print(f"ratio\t{ratios[0]:.2f} processor\t{ratios[1]:.2f} wall\tat most {LIMIT}")
    return 0 if ratios[0] <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
