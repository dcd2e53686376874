"""What any file was at any of some commits, from one process of git."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from project_memory.checkout.git import records
from project_memory.checkout.worktree import Worktree

_MODULE, _NOTHING = "160000", "000000"


@dataclass(frozen=True, slots=True)
class Past:
    """The files at some commits of one line, numbered from 0, newest first.

    Attributes:
        tree: The files now; the line begins at its commit.
        changes: Path -> (number of a commit, id there or None) for each commit after which the
            file was changed before the next of them; numbers rise.
    """

    tree: Worktree
    changes: Mapping[str, Sequence[tuple[int, str | None]]]

    def blob(self, path: str, number: int) -> str | None:
        """Return the object id of a file at a commit, or None if it was not there."""
        known = self.changes.get(path, ())
        at = bisect_left(known, number + 1, key=lambda change: change[0]) - 1
        return known[at][1] if at >= 0 else self.tree.committed(path)


def past(tree: Worktree, commits: Sequence[str]) -> Past:
    """Return the files at these commits, newest first, beginning with the one checked out.

    Each commit is compared with the next, so that a change is read once, however many commits
    come before it.

    Raises:
        InvalidInput: a commit cannot be read.
    """
    pairs = list(pairwise(commits))
    if not pairs:
        return Past(tree, {})
    numbers = {newer: number for number, (newer, _) in enumerate(pairs, 1)}
    given = "".join(f"{newer} {older}\n" for newer, older in pairs).encode()
    found = records(
        tree.checkout.root, "diff-tree", "--stdin", "-r", "-z", "--no-renames", given=given
    )
    changes: dict[str, list[tuple[int, str | None]]] = {}
    for commit, mode, old, path in _changes(iter(found)):
        was = None if mode in {_NOTHING, _MODULE} else old
        changes.setdefault(path, []).append((numbers[commit], was))
    return Past(tree, changes)


def _changes(found: Iterator[str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield (newer commit, old mode, old id, path) of each change."""
    commit = ""
    for record in found:
        if record.startswith(":"):
            mode, _, old, _, _ = record[1:].split(" ")
            yield commit, mode, old, next(found)
        else:
            commit = record
