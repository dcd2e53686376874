"""Measure retrieval quality on public test collections, through the product's own calls.

    python benchmarks/quality.py --data DIR --sets cacm --out run.json
    python benchmarks/quality.py --data DIR --sets 2wiki101 hotpot100 --pool --out run.json

DIR holds one folder a collection (corpus.jsonl.gz, queries.jsonl, perhaps links.tsv.gz) and
`as_memories.py`, whose `documents(folder)` maps a collection to memories. Every collection, or
every group of one, becomes a store of its own, written by `apply` and asked by `recall` with the
relative floor off; `--pool` puts all collections into one store. A run, {query: [passages, best
first]}, is written for each collection: to the file named, or, with several collections, to that
name with the collection's before the suffix.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from project_memory.app import ProjectMemory
from project_memory.errors import ProjectMemoryError
from project_memory.model import Actor, Authority

RESULTS = 100
BATCH = 2000
EVERYTHING = 100_000_000
DRAFT_FIELDS = ("id", "description", "labels", "tags", "remembered_facts")


@dataclass
class Store:
    """The memories of one store: drafts, links, and the passage behind each id, by collection."""

    drafts: list[dict[str, Any]] = field(default_factory=list)
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    sources: dict[str, tuple[str, str]] = field(default_factory=dict)
    passages: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Timing:
    """Seconds spent in writing, in the first answer (which builds the index), and in the rest."""

    writing: float
    first: float
    rest: float


def main() -> None:
    """Write the runs and print what each took."""
    options = _options()
    mapping = _mapping(options.data)
    pools = [options.sets] if options.pool else [[name] for name in options.sets]
    for names in pools:
        runs: dict[str, dict[str, list[str]]] = {name: {} for name in names}
        for group, store in _stores(mapping, options.data, names).items():
            questions = list(_questions(options.data, names, group))
            timing, answers = _answers(store, questions)
            for (name, query, _), found in zip(questions, answers, strict=True):
                runs[name][query] = found
            print(
                f"{'+'.join(names)}\t{group or '-'}\t{len(store.drafts)} memories\t"
                f"{len(questions)} queries\twritten {timing.writing:.1f} s\t"
                f"first answer {timing.first:.1f} s\t"
                f"then {1000 * timing.rest / max(1, len(questions) - 1):.1f} ms a query",
                flush=True,
            )
        for name in names:
            path = _path(options.out, name, several=len(options.sets) > 1)
            path.write_text(json.dumps(runs[name]), encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--sets", nargs="+", required=True, help="names of collections")
    parser.add_argument("--out", type=Path, required=True, help="file of the run")
    parser.add_argument("--pool", action="store_true", help="one store for all collections")
    return parser.parse_args()


def _mapping(data: Path) -> Any:
    spec = importlib.util.spec_from_file_location("as_memories", data / "as_memories.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True  # the folder may be read-only
    spec.loader.exec_module(module)
    return module


def _stores(mapping: Any, data: Path, names: list[str]) -> dict[str, Store]:
    stores: defaultdict[str, Store] = defaultdict(Store)
    for name in names:
        for group, passage, document in mapping.documents(data / name):
            _add(stores[group], name, passage, document)
    return dict(stores)


def _add(store: Store, name: str, passage: str, document: dict[str, Any]) -> None:
    """Add a passage; one that two pooled collections share is added once."""
    if passage in store.passages:
        return
    memory_id, number = document["id"], 1
    while memory_id in store.sources:
        number += 1
        memory_id = f"{document['id']}-{number}"
    store.passages[passage] = memory_id
    store.sources[memory_id] = (name, passage)
    kept = {key: document[key] for key in DRAFT_FIELDS if key in document}
    store.drafts.append({**kept, "id": memory_id})
    for link in document["relationships"]["related"]:
        pair = (min(memory_id, link["id"]), max(memory_id, link["id"]))
        store.links.setdefault(pair, link["reason"])


def _questions(data: Path, names: list[str], group: str) -> Iterator[tuple[str, str, str]]:
    for name in names:
        for line in (data / name / "queries.jsonl").read_text(encoding="utf-8").splitlines():
            query = json.loads(line)
            if query.get("group", "") == group:
                yield name, query["id"], query["text"]


def _answers(
    store: Store, questions: list[tuple[str, str, str]]
) -> tuple[Timing, list[list[str]]]:
    actor = Actor("benchmark", Authority.IMPORT)
    with (
        tempfile.TemporaryDirectory() as folder,
        ProjectMemory.open(
            f"{folder}/bench.db", project="bench", actor=actor, create=True
        ) as memory,
    ):
        started = time.perf_counter()
        _write(memory, store)
        written = time.perf_counter()
        found, ends = [], [written]
        for _, _, text in questions:
            found.append(_recalled(memory, store, text))
            ends.append(time.perf_counter())
    first = ends[min(1, len(ends) - 1)]
    return Timing(written - started, first - written, ends[-1] - first), found


def _write(memory: ProjectMemory, store: Store) -> None:
    creations = [{"op": "create", "memory": d, "allow_duplicate": True} for d in store.drafts]
    for start in range(0, len(creations), BATCH):
        _apply(memory, store, creations[start : start + BATCH])
    links = [
        {"op": "link", "from_id": a, "kind": "related", "to_id": b, "reason": reason}
        for (a, b), reason in sorted(store.links.items())
        if a in store.sources and b in store.sources
    ]
    for start in range(0, len(links), BATCH):
        memory.apply(links[start : start + BATCH])


def _apply(memory: ProjectMemory, store: Store, creations: list[dict[str, Any]]) -> None:
    """Apply a batch; a passage that the product refuses is left out, and said so."""
    while creations:
        try:
            memory.apply(creations)
        except ProjectMemoryError as error:
            place = re.search(r"operation (\d+)", " ".join(getattr(error, "__notes__", ())))
            if place is None:
                raise
            refused = creations.pop(int(place[1]))["memory"]["id"]
            del store.sources[refused]
            print(f"left out {refused}: {error}", file=sys.stderr)
        else:
            return


def _recalled(memory: ProjectMemory, store: Store, text: str) -> list[str]:
    found = memory.recall(
        query=text, limit=RESULTS, full_count=0, max_tokens=EVERYTHING, floor=False
    )
    return [store.sources[hit.id][1] for hit in found.answers]


def _path(out: Path, name: str, *, several: bool) -> Path:
    return out.with_name(f"{out.stem}.{name}{out.suffix}") if several else out


if __name__ == "__main__":
    main()
