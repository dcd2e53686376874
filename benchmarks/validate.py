"""What validating a directory costs: ``python benchmarks/validate.py [FOLDER | DOCUMENTS]``.

Without a folder, writes that many linked documents of ordinary size (10,000 by default) to a
temporary one. Prints the processor time of validating it, of reading the same files with
`json.loads` alone, and the ratio of the two; each is the best of three runs. Exit code 1 if 10,000
documents would take more than 3 s.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from project_memory import documents
from project_memory.services.validate import validate_directory

LIMIT, RUNS = 3.0, 3
REASON = "both were met in the same outage of the build server"
VOCABULARY = (
    "cache lock index shader parser retry build socket query thread buffer schema driver "
    "compiler linker timeout deadlock migration rollback encoder Puffer Größe кэш 数据库"
)
LABELS = ("area:storage", "area:network", "context:build", "context:runtime", "kind:bug")


def words(chance: random.Random, count: int) -> list[str]:
    """Return that many words."""
    return chance.choices(VOCABULARY.split(), k=count)


def prose(chance: random.Random) -> str:
    """Return a sentence of 14 words."""
    return " ".join(words(chance, 14))


def links(number: int, count: int) -> dict[str, list[Any]]:
    """Return links that hold both ways: a partner beside it, and a chain of dependencies."""
    partner = number ^ 1
    held: dict[str, list[Any]] = {kind: [] for kind in documents.RELATION_FIELDS}
    if partner < count:
        held["related"].append({"id": f"memory-{partner}", "reason": REASON})
    if number + 7 < count:
        held["depends_on"].append({"id": f"memory-{number + 7}"})
    if number >= 7:
        held["required_by"].append({"id": f"memory-{number - 7}"})
    return held


def document(number: int, count: int) -> dict[str, Any]:
    """Return a document of about 2 KB."""
    chance = random.Random(number)
    sentences = [prose(chance) for _ in range(9)]
    return {
        "schema_version": 1,
        "id": f"memory-{number}",
        "status": "active",
        "description": f"Number {number}: {sentences[0]}",
        "labels": sorted(chance.sample(LABELS, 3)),
        "tags": [f"b{word.title()}{place}" for place, word in enumerate(words(chance, 3))],
        "scope": {"project": "benchmark", "files": [f"src/part_{number % 90}/*.py"]},
        "triggers": sentences[1:3],
        "remembered_facts": [
            *sentences[3:6],
            {"fact": sentences[6], "status": "verified", "verified_at": "2026-01-31",
             "source": "the log of the build"},
        ],
        "solution_pattern": [sentences[7]],
        "pitfalls": [sentences[8]],
        "evidence": {"created_from_task": "benchmark", "last_validated": "2026-01-31",
                     "created": "2026-01-31T09:30:00Z", "confidence": "high"},
        "relationships": links(number, count),
    }  # fmt: skip


def write(folder: Path, count: int) -> None:
    """Write a directory of that many documents."""
    registry: Mapping[str, Any] = {"schema_version": 1, "labels": {name: {} for name in LABELS}}
    (folder / "labels.json").write_text(documents.to_text(registry), encoding="utf-8")
    (folder / "memories").mkdir()
    for number in range(count):
        text = documents.to_text(document(number, count))
        (folder / "memories" / f"memory-{number}.json").write_text(text, encoding="utf-8")


def read_only(folder: Path) -> int:
    """Return how many files there are, having read each as JSON."""
    return sum(1 for path in (folder / "memories").iterdir() if json.loads(path.read_bytes()))


def validate(folder: Path) -> int:
    """Return how many documents were validated, without a problem."""
    report = validate_directory(folder)
    assert report.problems == (), report.problems[:3]
    return report.checked


def cost(work: Callable[[Path], int], folder: Path) -> float:
    """Return the processor time of the fastest run, in seconds."""
    spent = []
    for _ in range(RUNS):
        started = time.process_time()
        work(folder)
        spent.append(time.process_time() - started)
    return min(spent)


def report(folder: Path) -> float:
    """Print the figures of a directory; return the seconds that 10,000 documents take."""
    sizes = [path.stat().st_size for path in (folder / "memories").iterdir()]
    count = max(1, len(sizes))
    plain, full = cost(read_only, folder), cost(validate, folder)
    print(f"{len(sizes)} documents of {sum(sizes) // count} bytes")
    print(f"json.loads alone: {plain:.2f} s of processor time")
    print(f"validate:         {full:.2f} s, {full / count * 10_000:.2f} s for 10,000")
    print(f"ratio:            {full / plain:.1f}")
    return full / count * 10_000


def main(source: str) -> int:
    """Print the figures of a directory, or of so many documents; return the exit code."""
    if not source.isdigit():
        return 1 if report(Path(source)) > LIMIT else 0
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), int(source))
        return 1 if report(Path(name)) > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "10000"))
