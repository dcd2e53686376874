"""Every pair of near twins in a collection, without comparing all with all."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from project_memory.duplicates import bulk
from project_memory.duplicates.likeness import LEAST, Pair, Profile, likeness


def near_pairs(
    texts: Mapping[str, str], progress: Callable[[int, int], None] = lambda _done, _of: None
) -> list[Pair]:
    """Return the pairs that are twins, the likest first, ties by name.

    Args:
        texts: Name -> text.
        progress: Told how many candidate pairs were looked at, and of how many, now and then.
    """
    names = sorted(texts)
    sketched = bulk.sketches([texts[name] for name in names])
    close = bulk.candidates(sketched, LEAST)
    profiles: dict[int, Profile] = {}
    found = []
    for done, (one, other) in enumerate(close.tolist()):
        if done % 256 == 0:
            progress(done, len(close))
        for row in (one, other):
            if row not in profiles:
                profiles[row] = Profile(texts[names[row]])
        alike = likeness(profiles[one], profiles[other])
        if alike.are_twins:
            found.append(Pair(names[one], names[other], alike.score))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))
