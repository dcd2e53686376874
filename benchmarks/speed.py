"""Measure speed and size beside other engines, as ratios in one run.

    python benchmarks/speed.py --size 10000
    python benchmarks/speed.py --size 100000 --data DIR --keep FOLDER
    python benchmarks/speed.py --size 1000 --peers fts5

Documents come from DIR's `synthetic.py` (`generate(n)`, `labels60()`, `queries(documents, n)`,
`label_exprs()`) or from `lessons.py` beside this file. A recall here is what an agent asks for:
eight results, three of them whole documents, without explanations; an engine gives the numbers of
eight texts. Figures in brackets are multiples of the product's figure. FOLDER keeps the filled
store for another run. Resident memory is read from /proc, so this runs on Linux alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import filling
import lessons
import measures
import passages
import peers
from measures import Fresh
from subjects import PRODUCT, Document, Product, Subject
from tables import Table

FILTERED = "with a label expression"
MEMORY_QUERIES = 100
ALTERNATIONS = 30
MB, KB = 1e6, 1e3

Queries = Sequence[tuple[str, str]]
"""Words, and the id of the document that they were taken from."""


def main() -> None:
    """Measure and print the table."""
    options = _options()
    source = passages.script(options.data, "synthetic") if options.data else lessons
    documents = list(source.generate(options.size))
    queries = source.queries(documents, options.queries)
    table = Table([PRODUCT, *options.peers])
    with filling.room(options.keep, options.size) as room:
        held = _filled(table, room, documents, source.labels60())
        expressions = source.label_exprs()[0]
        _measure_answers(table, held, queries, expressions)
        _measure_selections(table, held[PRODUCT], expressions)
        _measure_processes(table, room, documents, queries, options.runs)
        _measure_changes(table, held, documents, options.changes)
        _measure_other_process(table, held[PRODUCT], room, documents, options.changes)
        for each in held.values():
            each.close()
    print(f"{options.size} memories, {len(queries)} queries; {_machine()}")
    print("\n".join(table.lines()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, required=True, help="memories in the store, from 12")
    parser.add_argument("--data", type=Path, help="folder of synthetic.py")
    parser.add_argument("--keep", type=Path, help="folder that keeps the filled store")
    parser.add_argument("--queries", type=int, default=200, help="how many are timed, from 2")
    parser.add_argument("--runs", type=int, default=5, help="new processes of each kind")
    parser.add_argument("--changes", type=int, default=300, help="creates in each system")
    parser.add_argument(
        "--peers",
        nargs="*",
        choices=list(peers.PEERS),
        default=list(peers.PEERS),
        help="what to compare with (default: all)",
    )
    return parser.parse_args()


def _machine() -> str:
    described = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = next((x for x in described.splitlines() if x.startswith("model name")), "")
    name = model.partition(": ")[2] or platform.machine()
    return f"{os.cpu_count()} cores, {name}, Python {platform.python_version()}"


def _filled(
    table: Table, room: Path, documents: Sequence[Document], labels: Sequence[str]
) -> dict[str, Subject]:
    held = {}
    for name in table.systems:
        print(f"filling {name}", file=sys.stderr)
        held[name], rates = filling.filled(name, room, documents, labels)
        for measure, rate in rates.items():
            table.put(measure, name, rate)
    return held


def _measure_answers(
    table: Table, held: Mapping[str, Subject], queries: Queries, expressions: Sequence[str]
) -> None:
    filtering = held[PRODUCT]
    assert isinstance(filtering, Product)
    searches = {name: each.search for name, each in held.items()}
    turns = {**searches, FILTERED: filtering.filtered(expressions)}
    wall, processor = measures.warm(turns, [text for text, _ in queries])
    for kind, times in (("", wall), (" of processor time", processor)):
        for name in turns:
            what, system = (f", {name}", PRODUCT) if name == FILTERED else ("", name)
            table.put(f"warm answer{what}, ms{kind}, p50", system, times[name].p50)
            table.put(f"warm answer{what}, ms{kind}, p95", system, times[name].p95)
    for name, search in searches.items():
        table.put("known answer among eight, share", name, measures.known(search, queries))


def _measure_selections(table: Table, held: Subject, expressions: Sequence[str]) -> None:
    assert isinstance(held, Product)
    for limit in (1, 50):
        found = measures.selected(held, expressions, limit)
        table.put(f"label expression, {limit} of its memories, ms, p50", PRODUCT, found.p50)
        table.put(f"label expression, {limit} of its memories, ms, p95", PRODUCT, found.p95)


def _measure_processes(
    table: Table, room: Path, documents: Sequence[Document], queries: Queries, runs: int
) -> None:
    """Measure new processes; what one costs with few documents is told apart."""
    texts = [text for text, _ in queries[:MEMORY_QUERIES]]
    for name in table.systems:
        print(f"new processes of {name}", file=sys.stderr)
        folder, small = room / name, filling.few(name, room)
        whole, bare = (measures.cold(name, each, texts[0], runs) for each in (folder, small))
        table.put("new process to first answer, ms, median", name, statistics.median(whole))
        table.put("new process to first answer, ms, fastest", name, whole[0])
        table.put("of it by the size of the store, ms, fastest", name, whole[0] - bare[0])
        full, empty = (measures.memory(name, each, texts) for each in (folder, small))
        table.put("resident, MB", name, full["resident"] / MB)
        table.put("of it not backed by a file, MB", name, full["private"] / MB)
        beyond = (full["resident"] - empty["resident"]) / KB
        table.put("resident by the size of the store, KB a memory", name, beyond / len(documents))
        disk = measures.size(folder / "cache" if name == PRODUCT else folder) / KB
        table.put("index on disk, KB a memory", name, disk / len(documents))


def _measure_changes(
    table: Table, held: Mapping[str, Subject], documents: Sequence[Document], changes: int
) -> None:
    numbers = range(changes, changes + min(changes, ALTERNATIONS))
    for name, each in held.items():
        print(f"changes of {name}", file=sys.stderr)
        alone, visible = measures.creates(each, documents, changes)
        table.put("creates a second, durable", name, alone)
        table.put("creates a second, durable and in the next answer", name, visible)
        times = measures.after_change(each.search, each.create, documents, numbers)
        table.put("answer after a create, ms, p50", name, times.p50)


def _measure_other_process(
    table: Table, held: Subject, room: Path, documents: Sequence[Document], changes: int
) -> None:
    writer = Fresh("writer", room / PRODUCT)
    count = min(changes, ALTERNATIONS)
    numbers = range(changes + count, changes + 2 * count)
    times = measures.after_change(
        held.search, lambda draft: writer.answer(json.dumps(draft)), documents, numbers
    )
    writer.end()
    table.put("answer after a create by another process, ms, p50", PRODUCT, times.p50)


if __name__ == "__main__":
    main()
