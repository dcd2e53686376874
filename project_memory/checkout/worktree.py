"""What a checkout's files are now: git's index, and the disk where the two differ."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from project_memory.checkout.git import Checkout, records, run

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
    to_hash: list[str] = []
    for path in paths:
        if path in tree.blobs and path not in tree.unsure:
            found[path] = tree.blobs[path]
        elif tree.is_in_module(path):
            found[path] = THERE
        elif (kind := _on_disk(tree.checkout.root, path)) is not None:
            found[path] = THERE
            if kind == "file":
                to_hash.append(path)
            elif kind == "link":
                found[path] = _link_id(tree.checkout, path)
    return found | _hashed(tree.checkout, to_hash)


def is_there(tree: Worktree, path: str) -> bool:
    """Return whether a path exists now, to the knowledge of `present`."""
    if path in tree.blobs and path not in tree.unsure:
        return True
    return tree.is_in_module(path) or _on_disk(tree.checkout.root, path) is not None


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


def _on_disk(root: Path, path: str) -> str | None:
    """Return what is at a path: file, link, other, or None for nothing."""
    *folders, _ = accumulate(path.split("/"), "{}/{}".format)
    try:
        if any(stat.S_ISLNK((root / folder).lstat().st_mode) for folder in folders):
            return "other"
        mode = (root / path).lstat().st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(mode):
        return "file" if os.access(root / path, os.R_OK) else "other"
    return "link" if stat.S_ISLNK(mode) else "other"


def _link_id(checkout: Checkout, path: str) -> str:
    """Return the object id of a symbolic link: what git stores of one is where it points."""
    target = os.fsencode((checkout.root / path).readlink())
    return hashlib.new(checkout.hash_name, b"blob %d\0" % len(target) + target).hexdigest()


def _hashed(checkout: Checkout, paths: list[str]) -> dict[str, str]:
    """Return path -> object id that git would give the file, as its attributes have it."""
    named = b"".join(_quoted(os.fsencode(path)) + b"\n" for path in paths)
    ids = run(checkout.root, "hash-object", "--stdin-paths", given=named) if paths else b""
    return dict(zip(paths, ids.decode().split(), strict=True))


def _quoted(path: bytes) -> bytes:
    """Return a path as git reads it on a line of its own."""
    if not any(byte < 0x20 or byte in b'"\\' for byte in path):
        return path
    signs = (b"\\%03o" % byte if byte < 0x20 or byte in b'"\\' else bytes([byte]) for byte in path)
    return b'"' + b"".join(signs) + b'"'
