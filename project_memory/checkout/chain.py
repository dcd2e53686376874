"""Which commit a checkout was at on a day.

The line of a checkout is its commit, that one's first parent, and so on: what its files were, not
what was then on branches that came in later. Commits say when they were made, to the second; a
day's commit is the last one of that day (UTC), the nearest to the checkout if clocks disagreed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from project_memory.checkout.git import Checkout, lines


@dataclass(frozen=True, slots=True)
class Chain:
    """The newest part of a line of commits, newest first.

    Attributes:
        commits: Ids.
        days: Day -> position of its commit; of a day before the first commit, or before the
            history of a shallow clone, nothing is known.
    """

    commits: tuple[str, ...]
    days: Mapping[str, int]


def chain(checkout: Checkout, days: Iterable[str]) -> Chain:
    """Return the line of a checkout back to the earliest of these days (``2026-01-31``)."""
    ends = {day: _end(day) for day in days}
    if checkout.head is None or not ends:
        return Chain((), {})
    first = min(ends.values())
    commits: list[str] = []
    earliest: list[int] = []  # of the commits so far; only falls, so that it can be searched
    for line in lines(checkout.root, "rev-list", "--first-parent", "--timestamp", checkout.head):
        moment, _, commit = line.partition(" ")
        commits.append(commit)
        earliest.append(min([int(moment), *earliest[-1:]]))
        if earliest[-1] <= first:
            break
    falling = [-moment for moment in earliest]
    found = {day: bisect_left(falling, -end) for day, end in ends.items()}
    return Chain(tuple(commits), {d: at for d, at in found.items() if at < len(commits)})


def _end(day: str) -> int:
    """Return the last second of a day in UTC."""
    return int(datetime.combine(date.fromisoformat(day), time.max, UTC).timestamp())
