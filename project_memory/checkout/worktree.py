"""What a checkout's files are now: git's index, and the disk where the two differ."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from project_memory.checkout import disk
from project_memory.checkout.git import Checkout, records

THERE = ""
"""In the place of an object id: there is something, but what it holds is not known."""

_LINK, _MODULE = "120000", "160000"


@dataclass(frozen=True, slots=True)
class Worktree:
    """The files that git tracks, by path from the top, with ``/``.

    Attributes:
        checkout: Where they are.
        blobs: Path -> id of what the index holds.
        modules: Paths of submodules, of which nothing is known.
        unsure: Paths that the disk may hold otherwise than the index.
        staged: Path -> id in the last commit, or None, where the index has another.
    """

    checkout: Checkout
    blobs: Mapping[str, str]
    modules: frozenset[str]
    unsure: frozenset[str]
    staged: Mapping[str, str | None]

    def committed(self, path: str) -> str | None:
        """Return the id of a path in the last commit, or None if it is not there."""
        return self.staged[path] if path in self.staged else self.blobs.get(path)

    def is_in_module(self, path: str) -> bool:
        """Return whether a path is, or leads into, a submodule."""
        return any(part in self.modules for part in accumulate(path.split("/"), "{}/{}".format))


def worktree(checkout: Checkout) -> Worktree:
    """Return what git tracks in a checkout.

    Raises:
        InvalidInput: the index cannot be read.
    """
    blobs: dict[str, str] = {}
    modules: set[str] = set()
    for record in records(checkout.root, "ls-files", "--stage", "-z"):
        facts, _, path = record.partition("\t")
        mode, object_id, stage = facts.split(" ")
        if mode == _MODULE:
            modules.add(path)
        elif stage in {"0", "2"}:  # of a conflict that is not resolved, our side
            blobs[path] = object_id
    unsure = records(checkout.root, "diff-files", "--name-status", "--ignore-submodules=all", "-z")
    pairs = list(zip(unsure[::2], unsure[1::2], strict=True))
    announced = dict.fromkeys((path for letter, path in pairs if letter == "A"), None)
    return Worktree(
        checkout=checkout,
        blobs=blobs,
        modules=frozenset(modules),
        unsure=frozenset(path for _, path in pairs if path not in modules),
        staged=_staged(checkout) | announced,
    )


def present(tree: Worktree, paths: Iterable[str]) -> dict[str, str]:
    """Return path -> object id, or `THERE`, for those of the paths that there are now.

    A path that leads over a symbolic link, or into a submodule, counts as there: what lies behind
    is not looked at.

    Raises:
        InvalidInput: a file could not be read, though it was there a moment before.
    """
    found: dict[str, str] = {}
    on_disk: list[str] = []
    for path in paths:
        if path in tree.blobs and path not in tree.unsure:
            found[path] = tree.blobs[path]
        elif tree.is_in_module(path):
            found[path] = THERE
        elif disk.kind(tree.checkout.root, path) is not None:
            found[path] = THERE
            on_disk.append(path)
    return found | disk.object_ids(tree.checkout, on_disk)


def is_there(tree: Worktree, path: str) -> bool:
    """Return whether a path exists now, to the knowledge of `present`."""
    if path in tree.blobs and path not in tree.unsure:
        return True
    return tree.is_in_module(path) or disk.kind(tree.checkout.root, path) is not None


def ignored(tree: Worktree, paths: Iterable[str]) -> frozenset[str]:
    """Return those of these paths, which do not exist now, that git is told to ignore.

    Raises:
        InvalidInput: git cannot say.
    """
    # a path that began with a colon would be taken for a pattern
    given = b"".join(os.fsencode(f"./{path}") + b"\0" for path in paths)
    if not given:
        return frozenset()
    none_is_ignored = 1
    arguments = ("check-ignore", "--stdin", "-z")
    found = records(tree.checkout.root, *arguments, given=given, fine=(0, none_is_ignored))
    return frozenset(path.removeprefix("./") for path in found)


def _staged(checkout: Checkout) -> dict[str, str | None]:
    if checkout.head is None:
        return {}
    arguments = ("diff-index", "--cached", "--raw", "--no-renames", "--ignore-submodules=all")
    found = records(checkout.root, *arguments, "-z", checkout.head)
    pairs = zip(found[::2], found[1::2], strict=True)
    return {
        path: old if mode not in {"000000", _MODULE} else None
        for (mode, _, old, _, letter), path in ((raw[1:].split(" "), path) for raw, path in pairs)
        if letter != "U"
    }
