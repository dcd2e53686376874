"""What a change of a label over a whole store costs: ``python benchmarks/labels.py``.

A SQLite store is filled with memories that all carry one label; then the label is renamed, merged
and the like in turn, and each change is undone. Every time is that of one call, commit included;
beside it stands the first recall afterwards, which must find by the label as it is then.
Exit code 1 if renaming takes more than 3 seconds, or if an undo does not give the documents back
to the byte.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
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
    Receipt,
    Revision,
    Status,
    timestamp,
)
from project_memory.storage import open_storage

MEMORIES, LIMIT = 5_000, 3.0
ADA = Actor("ada", Authority.USER)
MOMENT = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
OLD, OTHER, NEW = "context:runtime", "context:testing", "context:running"
REASON = "both were met in the same outage"
WORDS = [
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
]

CHANGES: dict[str, tuple[Callable[[ProjectMemory], Receipt], str]] = {
    "rename": (lambda m: m.rename_label(OLD, NEW, distinct=True), NEW),
    "merge": (lambda m: m.merge_labels(OLD, OTHER), OTHER),
    "deprecate": (lambda m: m.deprecate_label(OLD, replacement=OTHER), OTHER),
    "remove": (lambda m: m.remove_label(OLD, replacement=OTHER), OTHER),
}


def document(number: int) -> documents.Document:
    """Return a document of ordinary size, linked to the other one of its pair."""
    words = random.Random(number)
    said = [" ".join(words.choices(WORDS, k=12)) for _ in range(8)]
    draft = {
        "id": f"memory-{number}",
        "description": f"Number {number}: {said[0]}",
        "labels": ["kind:bug", OLD],
        "triggers": said[1:3],
        "remembered_facts": said[3:6],
        "solution_pattern": said[6:7],
        "pitfalls": said[7:8],
        "relationships": {"related": [{"id": f"memory-{number ^ 1}", "reason": REASON}]},
    }
    return documents.from_draft(draft, project="demo", today=MOMENT.date(), taken=lambda _: False)


def filled(path: Path, size: int) -> None:
    """Make a store of this many memories, each with a revision of its own."""
    ProjectMemory.open(str(path), project="demo", actor=ADA, create=True).close()
    moment = timestamp(MOMENT)
    with closing(open_storage(str(path), create=False)) as storage, storage.write() as writer:
        project = writer.project("demo")
        assert project is not None
        for number in range(size):
            memory = Memory(
                writer.next_key(),
                document(number),
                Status.ACTIVE,
                *(1, 1, moment, moment),
                ADA.name,
                ADA.authority,
            )
            imprint = duplicates.imprint(documents.lesson(memory.document))
            digest = documents.text_digest(memory.document)
            writer.put_memory(project.key, memory, digest, *imprint)
            change = MemoryChange(None, memory)
            revision = project.revision + 1 + number
            made = Revision(revision, ADA, "create", None, moment, (change,))
            writer.append_revision(project.key, made)


def texts(memory: ProjectMemory) -> dict[str, str]:
    """Return id -> document as its file would hold it, for every memory."""
    with memory._storage.read() as reader:
        found = reader.memories(memory._project.key)
        return {one.id: documents.to_text(one.document) for one in found}


def timed(act: Callable[[], object]) -> tuple[float, float]:
    """Return the (wall, processor) seconds that a call takes."""
    wall, processor = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - wall, time.process_time() - processor


def found(memory: ProjectMemory, label: str) -> int:
    """Return how many memories a search selects by a label."""
    return memory.search(f"={label}", limit=1).total


def main() -> int:
    """Measure and print; return the exit code."""
    slow = broken = False
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        filled(path, MEMORIES)
        with ProjectMemory.open(str(path), project="demo", actor=ADA) as memory:
            before = texts(memory)
            assert found(memory, OLD) == MEMORIES
            for name, (change, label) in CHANGES.items():
                wall, processor = timed(lambda change=change: change(memory))
                _, seen = timed(lambda label=label: found(memory, label))
                assert found(memory, label) == MEMORIES
                wall_back, back = timed(memory.undo)
                same = texts(memory) == before and found(memory, OLD) == MEMORIES
                told = "same bytes" if same else "OTHER BYTES"
                times = f"{wall:.2f} s ({processor:.2f} s processor)"
                undone = f"undo {wall_back:.2f} s ({back:.2f} s)"
                print(f"{name}\t{times}\t{undone}\tthe search after it ({seen:.2f} s)\t{told}")
                slow |= name == "rename" and wall > LIMIT
                broken |= not same
            assert memory.validate().ok
    print(f"{MEMORIES} memories\trename at most {LIMIT} s")
    return 1 if slow or broken else 0


if __name__ == "__main__":
    sys.exit(main())
