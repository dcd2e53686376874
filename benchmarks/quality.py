"""Measure retrieval quality on public test collections, beside other engines and ablations.

    python benchmarks/quality.py --data DIR --sets cacm --out run.json
    python benchmarks/quality.py --data DIR --sets 2wiki101 hotpot100 --pool --out run.json
    python benchmarks/quality.py --data DIR --sets cacm --systems product bm25s --out run.json
    python benchmarks/quality.py --data DIR --sets cacm --ablate --out run.json

DIR holds one folder a collection (corpus.jsonl.gz, queries.jsonl, qrels.tsv, links.tsv.gz if it
has links), `as_memories.py`, whose `documents(folder)` maps a collection to memories, and
`evaluate.py`, whose `load_qrels(file)` and `metrics(ranking, relevant)` judge a run. Every
collection, or every group of one, becomes a store of its own, written by `apply` and asked by
`recall` with the relative floor off; `--pool` puts all collections into one store. Engines of
`--systems` get title and text of the same passages. Each system's run, {query: [passages, best
first]}, is written to the file named, with the collection's name and the system's before the
suffix where there are several.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import passages
import peers
import product
import tables
from ablations import ABLATIONS, WHOLE, Ablation, applied
from passages import Store
from timing import timed

RESULTS = 100
METRICS = ("R@2", "R@5", "R@10", "nDCG@10", "MRR", "MAP")
PRODUCT = "product"

Search = Callable[[str], list[str]]
"""Question -> passages, best first."""

System = Callable[[Store, Path], AbstractContextManager[Search]]
"""Store, and a folder for its files -> the search of that store."""


Means = dict[str, dict[str, float]]
"""System -> metric -> its mean over the questions of a collection."""


@dataclass
class Run:
    """The answers of one system to one collection.

    Attributes:
        found: Question -> passages, best first.
        seconds: Processor time of each answer, without the first of each store, which may build
            an index.
    """

    found: dict[str, list[str]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)


def main() -> None:
    """Write the runs and print the table."""
    options = _options()
    systems = _systems(options)
    pools = [options.sets] if options.pool else [[name] for name in options.sets]
    means: dict[str, Means] = {}
    print("\n".join(tables.head(["set", "system", *METRICS, "processor ms a query"])))
    for names in pools:
        runs = _runs(passages.stores(options.data, names), systems)
        for name in names:
            title = f"{name}, pooled" if options.pool else name
            own = {system: runs[system, name] for system in systems}
            means[title] = _report(options, name, title, own)
    for metric in options.compare:
        print("\n".join(_compared(metric, list(systems), means)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--sets", nargs="+", required=True, help="names of collections")
    parser.add_argument("--out", type=Path, required=True, help="file of the run")
    parser.add_argument("--pool", action="store_true", help="one store for all collections")
    parser.add_argument(
        "--systems",
        nargs="+",
        choices=[PRODUCT, *peers.PEERS],
        default=[PRODUCT],
        help="what answers (default: the product alone)",
    )
    parser.add_argument(
        "--ablate", action="store_true", help="the product with parts of its ranking taken out too"
    )
    parser.add_argument(
        "--compare",
        nargs="+",
        choices=METRICS,
        default=[],
        help="print a table of each of these metrics too, systems side by side",
    )
    return parser.parse_args()


def _systems(options: argparse.Namespace) -> dict[str, System]:
    ablations = {PRODUCT: WHOLE, **(ABLATIONS if options.ablate else {})}
    asked = list(dict.fromkeys([*options.systems, *(ablations if options.ablate else [])]))
    return {
        name: partial(_product, ablations[name]) if name in ablations else partial(_peer, name)
        for name in asked
    }


@contextmanager
def _product(ablation: Ablation, store: Store, folder: Path) -> Iterator[Search]:
    """Give the product's search; each ablation builds an index of its own over one store."""
    if not (folder / "store.db").exists():
        with product.opened(folder) as memory:
            product.write(memory, store)
    with (
        tempfile.TemporaryDirectory(dir=folder) as cache,
        product.opened(folder, cache) as memory,
        applied(ablation),
    ):
        yield lambda text: [
            store.sources[name] for name in product.recalled(memory, text, RESULTS)
        ]


@contextmanager
def _peer(name: str, store: Store, folder: Path) -> Iterator[Search]:
    peer = peers.opened(name, folder / name)
    peer.add(store.texts())
    ids = [store.sources[draft["id"]] for draft in store.drafts]
    yield lambda text: [ids[number] for number in peer.search(text, RESULTS)]


def _runs(
    stores: Mapping[str, Store], systems: Mapping[str, System]
) -> dict[tuple[str, str], Run]:
    """Return (system, collection) -> run."""
    runs: defaultdict[tuple[str, str], Run] = defaultdict(Run)
    for group, store in stores.items():
        with tempfile.TemporaryDirectory() as folder:
            for name, system in systems.items():
                print(f"{name}, {group or 'all'}: {len(store.drafts)} passages", file=sys.stderr)
                with system(store, Path(folder)) as search:
                    for number, question in enumerate(store.questions):
                        cost, found = timed(search, question.text)
                        run = runs[name, question.collection]
                        run.found[question.id] = found
                        run.seconds.extend([cost.processor] if number else [])
    return runs


def _report(options: argparse.Namespace, name: str, title: str, runs: Mapping[str, Run]) -> Means:
    """Write and print the runs of a collection; return what each system reached."""
    evaluate = passages.script(options.data, "evaluate")
    relevant = evaluate.load_qrels(options.data / name / "qrels.tsv")
    reached: Means = {}
    for system, run in runs.items():
        parts = [name] * (len(options.sets) > 1) + [system.replace(" ", "-")] * (len(runs) > 1)
        path = options.out.with_name(".".join([options.out.stem, *parts]) + options.out.suffix)
        path.write_text(json.dumps(run.found), encoding="utf-8")
        judged = [evaluate.metrics(run.found.get(q, []), wanted) for q, wanted in relevant.items()]
        means = [statistics.fmean(column) for column in zip(*judged, strict=True)]
        reached[system] = dict(zip(METRICS, means, strict=True))
        took = f"{1000 * statistics.median(run.seconds or [0.0]):.1f}"
        print(tables.row([title, system, *map(_share, means), took]), flush=True)
    return reached


def _compared(metric: str, systems: list[str], means: Mapping[str, Means]) -> Iterator[str]:
    yield ""
    yield from tables.head([metric, *systems])
    for title, reached in means.items():
        yield tables.row([title, *(_share(reached[system][metric]) for system in systems)])


def _share(value: float) -> str:
    return f"{value:.3f}"


if __name__ == "__main__":
    main()
