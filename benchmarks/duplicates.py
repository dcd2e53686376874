"""Find near twins in a large collection: ``python benchmarks/duplicates.py [SIZE]``.

SIZE made-up lessons (10,000 unless said otherwise), one in ten a copy with some words exchanged,
are searched for near twins. Of the first 1,000, all pairs are compared as well, to measure what
the quicker way misses. Prints processor seconds, the pairs found and the recall. Exit code 1 if
it takes 20 seconds or more, or finds less than 98 % of what comparing all with all does.
"""

from __future__ import annotations

import random
import sys
import time

import numpy as np
from scipy import sparse

from project_memory import duplicates
from project_memory.duplicates import LEAST, Pair, Profile, likeness
from project_memory.duplicates.pairs import near_pairs
from project_memory.duplicates.shingles import shingles

SIZE, SAMPLE, SECONDS, RECALL = 10_000, 1_000, 20.0, 0.98
SYLLABLES = ("ba", "ko", "ri", "ta", "mu", "se", "lo", "ni", "va", "pe", "do", "zi", "ga", "hu")


def lessons(size: int, seed: int = 42) -> dict[str, str]:
    """Return this many texts of 40 words out of a vocabulary of Zipf's law."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(SYLLABLES, k=chance.choice((2, 3, 4)))) for _ in range(6000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    texts: list[list[str]] = []
    for number in range(size):
        text = chance.choices(words, weights, k=40)
        if number % 10 == 9:
            rate = chance.choice((0.0, 0.02, 0.05, 0.1, 0.2))
            kept = chance.choice(texts[-900:])
            text = [w if chance.random() > rate else n for w, n in zip(kept, text, strict=True)]
        texts.append(text)
    return {f"lesson-{number:05d}": " ".join(text) for number, text in enumerate(texts)}


def compared_all(texts: dict[str, str]) -> set[tuple[str, str]]:
    """Return the twins among texts, each compared with each."""
    names = sorted(texts)
    sets = [shingles(texts[name]) for name in names]
    columns = {gram: at for at, gram in enumerate(sorted(set().union(*sets)))}
    rows = np.repeat(np.arange(len(sets)), [len(held) for held in sets])
    cells = [columns[gram] for held in sets for gram in held]
    held = sparse.csr_array((np.ones(len(cells)), (rows, cells)), (len(sets), len(columns)))
    shared = (held @ held.T).toarray()
    sizes = np.diag(shared)
    near = np.triu(shared / (sizes[:, None] + sizes[None, :] - shared) >= LEAST, 1)
    profiles = [Profile(texts[name]) for name in names]
    return {
        (names[one], names[other])
        for one, other in np.argwhere(near).tolist()
        if likeness(profiles[one], profiles[other]).are_twins
    }


def twins(texts: dict[str, str]) -> list[Pair]:
    """Return the pairs that are found without comparing all."""
    imprints = duplicates.imprints(list(texts.values()))
    return near_pairs(dict(zip(texts, imprints, strict=True)), texts.__getitem__)


def main() -> int:
    """Measure and print; return the exit code."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else SIZE
    texts = lessons(size)
    start = time.process_time()
    found = twins(texts)
    taken = time.process_time() - start
    sample = dict(list(texts.items())[:SAMPLE])
    every = compared_all(sample)
    quick = {(pair.one, pair.other) for pair in twins(sample)}
    recall = len(every & quick) / len(every)
    print(f"{size} lessons\t{taken:.2f} s processor\t{len(found)} pairs\tat most {SECONDS:.0f} s")
    print(f"{len(sample)} lessons\t{len(every)} pairs by comparing all\trecall {recall:.4f}")
    return 0 if taken < SECONDS and quick <= every and recall >= RECALL else 1


if __name__ == "__main__":
    sys.exit(main())
