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
from timing import Cost, fastest, percentile

FILTERED = "warm answer with a label expression"
MEMORY_QUERIES = 100
ALTERNATIONS = 30
MB, KB = 1e6, 1e3

Queries = Sequence[tuple[str, str]]
"""Words, and the id of the document that they were taken from."""


class Figures:
    """What was measured: times by the clock and by processor, and everything else."""

    def __init__(self, systems: Sequence[str]) -> None:
        self.systems = systems
        self.clock = Table("by the clock", systems)
        self.processor = Table("by processor time", systems)
        self.other = Table("size and answers", systems)

    def put(self, measure: str, system: str, cost: Cost) -> None:
        """Note a time or rate."""
        self.clock.put(measure, system, cost.clock)
        self.processor.put(measure, system, cost.processor)

    def spread(self, measure: str, system: str, seconds: Sequence[Cost]) -> None:
        """Note the median and the 95th percentile of times."""
        for place in (50, 95):
            self.put(f"{measure}, ms, p{place}", system, percentile(seconds, place))


def main() -> None:
    """Measure and print the tables."""
    options = _options()
    source = passages.script(options.data, "synthetic") if options.data else lessons
    documents = list(source.generate(options.size))
    queries = source.queries(documents, options.queries)
    expressions = source.label_exprs()[0]
    figures = Figures([PRODUCT, *options.peers])
    with filling.room(options.keep, options.size) as room:
        held = _filled(figures, room, documents, source.labels60())
        own = held[PRODUCT]
        assert isinstance(own, Product)
        _measure_answers(figures, held, queries, own.filtered(expressions))
        for limit in (1, 50):
            measure = f"label expression, {limit} of its memories"
            figures.spread(measure, PRODUCT, measures.selected(own, expressions, limit))
        _measure_processes(figures, room, documents, queries, options.runs)
        _measure_changes(figures, held, documents, options.changes)
        _measure_other_process(figures, own, room, documents, options.changes)
        for each in held.values():
            each.close()
    print(f"{options.size} memories, {len(queries)} queries; {_machine()}")
    for table in (figures.clock, figures.processor, figures.other):
        print("\n" + "\n".join(table.lines()))


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
    figures: Figures, room: Path, documents: Sequence[Document], labels: Sequence[str]
) -> dict[str, Subject]:
    held = {}
    for name in figures.systems:
        print(f"filling {name}", file=sys.stderr)
        held[name], rates = filling.filled(name, room, documents, labels)
        for measure, rate in rates.items():
            figures.put(measure, name, rate)
    return held


def _measure_answers(
    figures: Figures,
    held: Mapping[str, Subject],
    queries: Queries,
    filtered: measures.Search,
) -> None:
    searches = {name: each.search for name, each in held.items()}
    spent = measures.warm({**searches, FILTERED: filtered}, [text for text, _ in queries])
    for name, search in searches.items():
        figures.spread("warm answer", name, spent[name])
        share = measures.known(search, queries)
        figures.other.put("known answer among eight, share", name, share)
    figures.spread(FILTERED, PRODUCT, spent[FILTERED])


def _measure_processes(
    figures: Figures, room: Path, documents: Sequence[Document], queries: Queries, runs: int
) -> None:
    """Measure new processes; what one costs with few documents is told apart."""
    texts = [text for text, _ in queries[:MEMORY_QUERIES]]
    for name in figures.systems:
        print(f"new processes of {name}", file=sys.stderr)
        folder, few = room / name, filling.few(name, room)
        whole, bare = (measures.cold(name, each, texts[0], runs) for each in (folder, few))
        figures.put("new process to first answer, ms, median", name, percentile(whole, 50))
        figures.put("new process to first answer, ms, fastest", name, fastest(whole))
        beyond = fastest(whole) - fastest(bare)
        figures.put(f"beyond one that holds {filling.FEW}, ms, fastest", name, beyond)
        full, empty = (measures.memory(name, each, texts) for each in (folder, few))
        disk = measures.size(folder / "cache" if name == PRODUCT else folder)
        for measure, value in {
            "resident, MB": full["resident"] / MB,
            "resident and not backed by a file, MB": full["private"] / MB,
            f"resident beyond one that holds {filling.FEW}, KB a memory": (
                (full["resident"] - empty["resident"]) / KB / len(documents)
            ),
            "index on disk, KB a memory": disk / KB / len(documents),
        }.items():
            figures.other.put(measure, name, value)


def _measure_changes(
    figures: Figures, held: Mapping[str, Subject], documents: Sequence[Document], changes: int
) -> None:
    numbers = range(changes, changes + min(changes, ALTERNATIONS))
    for name, each in held.items():
        print(f"changes of {name}", file=sys.stderr)
        alone, visible = measures.creates(each, documents, changes)
        figures.put("creates a second, durable", name, alone)
        figures.put("creates a second, durable and in the next answer", name, visible)
        spent = measures.after_change(each.search, each.create, documents, numbers)
        figures.spread("answer after a create", name, spent)


def _measure_other_process(
    figures: Figures, held: Product, room: Path, documents: Sequence[Document], changes: int
) -> None:
    writer = Fresh("writer", room / PRODUCT)
    count = min(changes, ALTERNATIONS)
    numbers = range(changes + count, changes + 2 * count)
    spent = measures.after_change(
        held.search, lambda draft: writer.answer(json.dumps(draft)), documents, numbers
    )
    writer.end()
    figures.spread("answer after a create by another process", PRODUCT, spent)


if __name__ == "__main__":
    main()
