"""Documents by seed, for measuring speed without a folder of data.

Each has three to five labels out of sixty, two links to earlier memories, one to three files and
about seventy words. Words are drawn by Zipf's law from a vocabulary that grows with the square
root of the size (Heaps' law), so that a term's share of the memories stays like that of prose.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import accumulate, product
from typing import Any

PREFIXES = "- auto cross dis inter macro meta micro mis multi non over pre re sub super"
ROOTS = (
    "adapt batch buffer cache channel client cluster column commit compile config cursor daemon "
    "decode deploy digest driver encode event export fetch filter format handle header import "
    "index insert invoke iterate journal kernel layout ledger linker listen loader locale lock "
    "logger merge metric migrate monitor packet parse patch pixel plugin poll process profile "
    "proxy query queue record render replica report request resolve retry route sample schema "
    "script segment server session shader signal snapshot socket stream symbol table task thread "
    "token trace update vector version widget worker"
)
ENDINGS = "- able al ance ant dom ee er ful hood ian ic ish ism ist less ment or ship ty"
LABELS = {"area": 34, "kind": 6, "context": 8, "signal": 12}
REASON = "both were met in the same outage"


class Zipf:
    """Items that are drawn with a probability in proportion to 1 / place."""

    def __init__(self, items: Sequence[str]) -> None:
        self._items = items
        self._sums = list(accumulate(1 / place for place in range(1, len(items) + 1)))

    def draw(self, chance: random.Random) -> str:
        """Return an item."""
        return self._items[bisect(self._sums, chance.random() * self._sums[-1])]


def labels60() -> list[str]:
    """Return the labels that documents and expressions draw from."""
    return [label for prefix in LABELS for label in _labels(prefix)]


def generate(count: int) -> Iterator[dict[str, Any]]:
    """Yield so many drafts; links lead to those before."""
    chance = random.Random(count)
    words = Zipf(_vocabulary(max(2000, int(60 * count**0.5)), chance))
    areas = Zipf(_labels("area"))
    files = [f"src/{words.draw(chance)}/part_{number}.py" for number in range(max(20, count // 5))]

    def said(length: int) -> str:
        return " ".join(words.draw(chance) for _ in range(length))

    for number in range(count):
        others = chance.sample(range(number), min(2, number))
        yield {
            "id": f"memory-{number:06d}",
            "description": said(14),
            "labels": _some_labels(chance, areas),
            "tags": [said(1)],
            "scope": {"area": said(1), "files": sorted(set(chance.choices(files, k=2)))},
            "triggers": [said(6), said(5)],
            "remembered_facts": [said(14), said(12)],
            "solution_pattern": [said(12)],
            "pitfalls": [said(11)],
            "relationships": {
                "related": [{"id": f"memory-{other:06d}", "reason": REASON} for other in others]
            },
        }


def queries(documents: Sequence[dict[str, Any]], count: int) -> list[tuple[str, str]]:
    """Return (five words of a memory's text, its id), so many times."""
    chance = random.Random(count)
    found = []
    for document in chance.choices(documents, k=count):
        text = [document["description"], *document["triggers"], *document["remembered_facts"]]
        found.append((" ".join(chance.sample(" ".join(text).split(), 5)), document["id"]))
    return found


def label_exprs() -> tuple[list[str], list[str]]:
    """Return thirty expressions of four terms, and thirty of two."""
    chance = random.Random(30)
    long, short = [], []
    for _ in range(30):
        area, kind, context = (chance.choice(_labels(p)) for p in ("area", "kind", "context"))
        other = chance.choice(_labels("kind"))
        long.append(f"{area} AND ({kind} OR {other}) AND NOT {context}")
        short.append(f"{area} AND {kind}")
    return long, short


def _vocabulary(count: int, chance: random.Random) -> list[str]:
    parts = (text.split() for text in (PREFIXES, ROOTS, ENDINGS))
    words = ["".join(found).replace("-", "") for found in product(*parts)]
    chance.shuffle(words)
    return words[:count]


def _labels(prefix: str) -> list[str]:
    return [f"{prefix}:l{number:02d}" for number in range(LABELS[prefix])]


def _some_labels(chance: random.Random, areas: Zipf) -> list[str]:
    found = {areas.draw(chance), chance.choice(_labels("kind")), chance.choice(_labels("context"))}
    return sorted(found | set(chance.choices(_labels("signal"), k=chance.choice((0, 1, 2)))))
