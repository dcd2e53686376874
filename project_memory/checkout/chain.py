"""Which commit a checkout was at on a day.

The line of a checkout is its commit, that one's first parent, and so on: what its files were, not
what was then on branches that came in later. Commits say when they were made, to the second; a
day's commit is the last one of that day (UTC), the nearest to the checkout if clocks disagreed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from project_memory.checkout.git import Checkout, lines


@dataclass(frozen=True, slots=True)
class Chain:
    """The newest part of a line of commits.

    Attributes:
        commits: Ids, newest first.
        earliest: Second of the earliest of each commit and those before it here, negated; so it
            rises, and can be searched.
    """

    commits: Sequence[str]
    earliest: Sequence[int]

    def position(self, day: str) -> int | None:
        """Return where the commit of a day (``2026-01-31``) is, or None where it is not known.

        Nothing is known of a day before the first commit, or before the history of a shallow
        clone.
        """
        at = bisect_left(self.earliest, -_end(day))
        return at if at < len(self.commits) else None


def chain(checkout: Checkout, since: str) -> Chain:
    """Return the line of a checkout back to a day.

    Raises:
        InvalidInput: git is missing.
    """
    commits: list[str] = []
    earliest: list[int] = []
    last = -_end(since)
    command = ("rev-list", "--first-parent", "--timestamp")
    for line in lines(checkout.root, *command, checkout.head) if checkout.head else ():
        moment, _, commit = line.partition(" ")
        commits.append(commit)
        earliest.append(max([-int(moment), *earliest[-1:]]))
        if earliest[-1] >= last:
            break
    return Chain(commits, earliest)


def _end(day: str) -> int:
    """Return the last second of a day in UTC."""
    return int(datetime.combine(date.fromisoformat(day), time.max, UTC).timestamp())
