"""Which of many paths a glob means."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from project_memory import globs

EXPORTED = ".project-memory/"
"""Folder of exported memories: what a lesson says is no evidence for it."""


def within(paths: Sequence[str], path: str) -> Iterator[str]:
    """Yield those of sorted paths that a glob means, or that are in a folder."""
    if not globs.is_glob(path):
        yield from _from(paths, f"{path}/")
        return
    matches = globs.path_pattern(path).fullmatch
    yield from (found for found in _from(paths, globs.literal_start(path)) if matches(found))


def _from(paths: Sequence[str], start: str) -> Iterator[str]:
    """Yield those of sorted paths that begin with a text."""
    for position in range(bisect_left(paths, start), len(paths)):
        if not paths[position].startswith(start):
            return
        yield paths[position]
