"""Every pair of near twins in a collection, without comparing all with all."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from project_memory.duplicates import bulk
from project_memory.duplicates.likeness import LEAST, Pair, Profile, likeness
from project_memory.duplicates.lsh import Imprint


def near_pairs(
    imprints: Mapping[str, Imprint],
    text: Callable[[str], str],
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[Pair]:
    """Return the pairs that are twins, the likest first, ties by name.

    Args:
        imprints: Name -> `imprint` of its text; one that is empty is nobody's twin.
        text: Returns the text of a name; asked only for those that may have a twin.
        progress: Told how many candidate pairs were looked at, and of how many, now and then.
    """
    names = sorted(name for name, imprint in imprints.items() if imprint.bands)
    likely = bulk.candidates([imprints[name] for name in names], LEAST)
    told = {row: text(names[row]) for row in sorted(set(likely.ravel().tolist()))}
    # grams as numbers take a third of the time, and are as good as the grams themselves
    close = bulk.resembling(told, likely, LEAST)
    profiles: dict[int, Profile] = {}
    found = []
    for done, (one, other) in enumerate(close.tolist()):
        if done % 256 == 0:
            progress(done, len(close))
        for row in (one, other):
            if row not in profiles:
                profiles[row] = Profile(told[row])
        alike = likeness(profiles[one], profiles[other])
        if alike.are_twins:
            found.append(Pair(names[one], names[other], alike.score))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))
