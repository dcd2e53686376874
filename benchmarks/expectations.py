"""What it costs to hold a store to its expectations: ``python benchmarks/expectations.py [SIZE]``.

SIZE made-up lessons (10,000 unless said otherwise) and 500 expectations, each the trigger of a
lesson. All are asked as `validate --recall` does; then lessons are created, each held to the
expectations that it shares most words with; then a label is renamed that half the lessons carry,
by which all are asked of the store as it would be; then the store is opened anew and validated,
which first takes the renaming into the index that is kept, and once more. Times are of one call,
by processor and clock. Exit code 1 if the first, or the renaming, takes 10 seconds of the
processor or more.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import product
from lessons import generate, labels60

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
ASKED, CREATED, LIMIT = 500, 20, 10.0
COMMON = "area:common"


def timed(act: Callable[[], object]) -> tuple[float, float]:
    """Return the (processor, wall) seconds that a call takes."""
    processor, wall = time.process_time(), time.perf_counter()
    act()
    return time.process_time() - processor, time.perf_counter() - wall


def told(what: str, times: tuple[float, float]) -> float:
    """Print what a call took; return its processor seconds."""
    print(f"{what}\t{times[0]:.3f} s processor\t{times[1]:.3f} s wall", flush=True)
    return times[0]


def main() -> int:
    """Measure and print; return the exit code."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    made = list(generate(size + CREATED))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "store.db")
        with ProjectMemory.open(path, project="bench", actor=ADA, create=True) as memories:
            memories.apply([{"op": "add_label", "label": name} for name in [*labels60(), COMMON]])
            for number, lesson in enumerate(made[: size // 2]):
                made[number] = {**lesson, "labels": [*lesson["labels"], COMMON]}
            product.write_lessons(memories, made[:size])
            step = max(1, size // ASKED)
            asked = [(made[at]["triggers"][0], made[at]["id"]) for at in range(0, size, step)]
            memories.apply(
                [{"op": "expect", "query": query, "expects": [name], "within": 10}
                 for query, name in asked[:ASKED]]
            )  # fmt: skip
        with ProjectMemory.open(path, project="bench", actor=ADA) as memories:
            memories.recall(query=made[0]["description"])
            found = memories.run_expectations()
            print(f"{size} lessons\t{len(found.expectations)} expectations\t{found.held} held")
            asking = told("asked, all", timed(memories.run_expectations))
            creating = [timed(lambda each=each: memories.create(each)) for each in made[size:]]
            processor, wall = zip(*creating, strict=True)
            told("create, median", (median(processor), median(wall)))
            renaming = told(
                f"rename of a label on {size // 2} lessons",
                timed(lambda: memories.rename_label(COMMON, "area:shared", distinct=True)),
            )
        for index in ("taking in the rename", "as it is kept"):
            with ProjectMemory.open(path, project="bench", actor=ADA) as memories:
                what = f"validate --recall, with an index of its own, {index}"
                told(what, timed(lambda: memories.validate(recall=True)))
    return 1 if max(asking, renaming) >= LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
