"""Where files went that are gone, and whence those came that were not there before.

The commit in which a file vanished or appeared is found by halving the line of commits; git
compares only that one with its parent, as `git log --follow` would. A partial clone lacks the
contents that this takes, and a reader fetches nothing: there, no file is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from project_memory.checkout.git import object_names, records
from project_memory.checkout.worktree import Worktree

_MOST_MOVES = 20
"""Renames of one file that are followed."""


@dataclass(frozen=True, slots=True)
class Place:
    """A path at a commit, told by its position in the line, where the newest is 0."""

    path: str
    position: int


@dataclass(frozen=True, slots=True)
class _Span:
    """A stretch of the line, at only one end of which there is a file of this path."""

    path: str
    newer: int
    older: int


def followed(
    tree: Worktree,
    commits: Sequence[str],
    lost: Iterable[Place],
    is_there: Callable[[str], bool],
) -> dict[Place, str]:
    """Return where files are now that were at a place and are not any more.

    Args:
        tree: The files now.
        commits: The line of the checkout, newest first.
        lost: What to look for.
        is_there: Whether a path exists now.
    """
    spans = _spans(tree, lost)
    move = partial(_later_names, tree, commits)
    return _pursued(spans, move, lambda span: is_there(span.path))


def traced(
    tree: Worktree,
    commits: Sequence[str],
    new: Iterable[Place],
    was_there: Callable[[Place], bool],
) -> dict[Place, str]:
    """Return what files were called at a place that had another path there.

    Args:
        tree: The files now.
        commits: The line of the checkout, newest first.
        new: Paths of now, and where in the line to look for their files.
        was_there: Whether there was a file at a place.
    """
    spans = _spans(tree, new)
    move = partial(_earlier_names, tree, commits)
    return _pursued(spans, move, lambda span: was_there(Place(span.path, span.older)))


def _spans(tree: Worktree, places: Iterable[Place]) -> dict[Place, _Span]:
    if tree.checkout.partial:
        return {}
    return {each: _Span(each.path, 0, each.position) for each in places}


def _pursued(
    spans: dict[Place, _Span],
    move: Callable[[Collection[_Span]], Mapping[_Span, _Span]],
    is_found: Callable[[_Span], bool],
) -> dict[Place, str]:
    """Return the first name of each file, from move to move, that is what was looked for."""
    found: dict[Place, str] = {}
    for _ in range(_MOST_MOVES if spans else 0):
        moved = move(set(spans.values()))
        spans = {first: moved[span] for first, span in spans.items() if span in moved}
        found |= {first: span.path for first, span in spans.items() if is_found(span)}
        spans = {first: span for first, span in spans.items() if first not in found}
        if not spans:
            break
    return found


def _later_names(
    tree: Worktree, commits: Sequence[str], spans: Collection[_Span]
) -> dict[_Span, _Span]:
    kept = {span for span in spans if tree.committed(span.path) is not None}
    staged = _staged_renames(tree) if kept else {}
    moved = {span: _Span(staged[span.path], 0, 0) for span in kept if span.path in staged}
    vanished = _boundaries(tree, commits, set(spans) - kept, newer_has_it=False)
    names = _renames(tree, commits, vanished.values())
    for span, at in vanished.items():
        if (at, span.path) in names:
            moved[span] = _Span(names[at, span.path], 0, at)
    return moved


def _earlier_names(
    tree: Worktree, commits: Sequence[str], spans: Collection[_Span]
) -> dict[_Span, _Span]:
    fresh = {s for s in spans if s.newer == 0 and tree.committed(s.path) is None}
    staged = {new: old for old, new in _staged_renames(tree).items()} if fresh else {}
    moved = {s: _Span(staged[s.path], 0, s.older) for s in fresh if s.path in staged}
    appeared = _boundaries(tree, commits, set(spans) - fresh, newer_has_it=True)
    names = {
        (at, new): old for (at, old), new in _renames(tree, commits, appeared.values()).items()
    }
    for span, at in appeared.items():
        if (at, span.path) in names:
            moved[span] = _Span(names[at, span.path], at + 1, span.older)
    return moved


def _boundaries(
    tree: Worktree, commits: Sequence[str], spans: Iterable[_Span], *, newer_has_it: bool
) -> dict[_Span, int]:
    """Return the position of a commit that differs from its parent in having the file."""
    # a line break would make two questions of one
    ends = {span: (span.newer, span.older) for span in spans if "\n" not in span.path}
    while still := {span: end for span, end in ends.items() if end[1] - end[0] > 1}:
        middles = {span: sum(end) // 2 for span, end in still.items()}
        named = [f"{commits[middle]}:{span.path}" for span, middle in middles.items()]
        found = object_names(tree.checkout.root, named)
        for (span, middle), object_id in zip(middles.items(), found, strict=True):
            newer, older = ends[span]
            like_newer = (object_id is not None) is newer_has_it
            ends[span] = (middle, older) if like_newer else (newer, middle)
    return {span: newer for span, (newer, older) in ends.items() if newer < older}


def _renames(
    tree: Worktree, commits: Sequence[str], positions: Iterable[int]
) -> dict[tuple[int, str], str]:
    """Return (position, old path) -> new path for the renames that these commits made."""
    numbers = {commits[position]: position for position in positions}
    if not numbers:
        return {}
    given = "".join(f"{commit} {commits[at + 1]}\n" for commit, at in numbers.items()).encode()
    arguments = ("diff-tree", "--stdin", "-r", "-M", "--diff-filter=R", "-z")
    found: dict[tuple[int, str], str] = {}
    commit = ""
    pieces = iter(records(tree.checkout.root, *arguments, given=given))
    for piece in pieces:
        if piece.startswith(":"):
            old, new = next(pieces), next(pieces)
            found[numbers[commit], old] = new
        else:
            commit = piece
    return found


def _staged_renames(tree: Worktree) -> dict[str, str]:
    """Return old path -> new path for renames that are in the index and in no commit."""
    if tree.checkout.head is None:
        return {}
    arguments = ("diff-index", "--cached", "-M", "--diff-filter=R", "-z", tree.checkout.head)
    pieces = iter(records(tree.checkout.root, *arguments))
    return {next(pieces): next(pieces) for _ in pieces}
