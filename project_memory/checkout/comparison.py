"""Hold what memories name against a checkout: what changed, moved or went since a day.

The state on that day is that of the day's commit, found in the history. Nothing needs to be kept
for it, so it is right for memories that were imported, or validated where there was no checkout;
and what was committed later on the day of the validation, as usually the very change that taught
the lesson, counts as seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from project_memory import globs
from project_memory.checkout.chain import chain
from project_memory.checkout.git import Checkout, plain
from project_memory.checkout.members import within
from project_memory.checkout.past import Past, past
from project_memory.checkout.renames import Place, followed, traced
from project_memory.checkout.worktree import THERE, ignored, is_there, present, worktree
from project_memory.documents import well_formed
from project_memory.staleness import Fate, FileState, Named


@dataclass(frozen=True, slots=True)
class Comparison:
    """What needs a look, and what is not known.

    Attributes:
        states: Only of what changed, moved or is missing.
        unknown_days: Days of which the history tells nothing: before it begins, or before the
            place where a shallow clone was cut off.
    """

    states: Mapping[Named, FileState]
    unknown_days: frozenset[str]


def compared(checkout: Checkout, named: Iterable[Named]) -> Comparison:
    """Compare what is named with the checkout.

    The number of processes does not grow with the number of files, nor with that of memories.

    Raises:
        InvalidInput: git cannot read the repository.
    """
    wanted = set(named)
    days = {each.day for each in wanted}
    line = chain(checkout, min(days, default=date.max.isoformat()))
    positions = {day: at for day in days if (at := line.position(day)) is not None}
    bases = sorted({0, *positions.values()} if line.commits else set())
    then = past(worktree(checkout), [line.commits[position] for position in bases])
    comparing = _Comparing(then, line.commits, positions, wanted)
    return Comparison(comparing.states(), frozenset(days - positions.keys()))


class _Comparing:
    """One comparison: every file is looked at once, however many memories name it."""

    def __init__(
        self,
        then: Past,
        commits: Sequence[str],
        positions: Mapping[str, int],
        wanted: Iterable[Named],
    ) -> None:
        self._then = then
        self._commits = commits
        self._positions = positions
        bases = sorted({0, *positions.values()})
        self._numbers = {position: number for number, position in enumerate(bases)}
        self._wanted = {each: plain(each.path) for each in wanted}
        tree = then.tree
        touched = sorted({*then.changes, *tree.staged, *tree.unsure})
        self._tracked = sorted(tree.blobs)
        paths = set(self._wanted.values())
        self._members = {path: tuple(within(touched, path)) for path in paths}
        literal = {path for path in paths if not globs.is_glob(path)}
        self._folders = {path for path in literal - tree.blobs.keys() if self._has_files(path)}
        self._now = present(tree, sorted(literal.union(*self._members.values())))
        self._ignored = ignored(tree, sorted(literal - self._now.keys()))

    def states(self) -> dict[Named, FileState]:
        """Return what changed, moved or is missing."""
        states = {
            each: state
            for each, path in self._wanted.items()
            if (state := self._state(each, path)) is not None
        }
        return {**states, **self._moved(states), **self._changed_since_moved(states)}

    def _state(self, each: Named, path: str) -> FileState | None:
        number = self._number(each)
        if globs.is_glob(path) or (self._is_folder(path) and not self._was(path, number)):
            return self._state_of_many(each.path, path, number)
        if path not in self._now or self._is_folder(path):
            gone = self._was(path, number) or path not in self._ignored
            return FileState(each.path, Fate.MISSING) if gone else None
        return FileState(each.path, Fate.CHANGED) if self._differs(path, number) else None

    def _state_of_many(self, name: str, path: str, number: int | None) -> FileState | None:
        differing = (file for file in self._members[path] if self._differs(file, number))
        files = tuple(map(well_formed, differing))
        if not files:
            return None
        gone = not any(within(self._tracked, path))
        return FileState(name, Fate.MISSING if gone else Fate.CHANGED, files)

    def _moved(self, states: Mapping[Named, FileState]) -> dict[Named, FileState]:
        """Return the renamed ones among the files that are missing."""
        lost = {
            each: Place(self._wanted[each], self._positions[each.day])
            for each, state in states.items()
            if state.fate is Fate.MISSING
            and not state.files
            and self._was(self._wanted[each], self._number(each))
        }
        tree, commits = self._then.tree, self._commits
        found = followed(tree, commits, set(lost.values()), lambda path: is_there(tree, path))
        return {
            each: FileState(each.path, Fate.RENAMED, now=found[place])
            for each, place in lost.items()
            if place in found and found[place] == well_formed(found[place])  # one it could name
        }

    def _changed_since_moved(self, states: Mapping[Named, FileState]) -> dict[Named, FileState]:
        """Return the changed ones among the files that had another name on their day."""
        new = {
            each: Place(path, self._positions[each.day])
            for each, path in self._wanted.items()
            if each not in states and self._is_new(path, self._number(each))
        }

        def was_there(place: Place) -> bool:
            return self._was(place.path, self._numbers[place.position])

        found = traced(self._then.tree, self._commits, set(new.values()), was_there)
        return {
            each: FileState(each.path, Fate.CHANGED)
            for each, place in new.items()
            if place in found
            and self._then.blob(found[place], self._numbers[place.position])
            != self._now[place.path]
        }

    def _number(self, each: Named) -> int | None:
        position = self._positions.get(each.day)
        return None if position is None else self._numbers[position]

    def _was(self, path: str, number: int | None) -> bool:
        return number is not None and self._then.blob(path, number) is not None

    def _is_new(self, path: str, number: int | None) -> bool:
        there = self._now.get(path, THERE) != THERE
        return there and number is not None and not self._was(path, number)

    def _differs(self, path: str, number: int | None) -> bool:
        """Return whether a file that was there then is another now, or gone."""
        if number is None:
            return False
        was, now = self._then.blob(path, number), self._now.get(path)
        return was is not None and now not in (THERE, was)

    def _is_folder(self, path: str) -> bool:
        return path in self._folders

    def _has_files(self, path: str) -> bool:
        """Return whether there is a folder of this path, or was since the earliest day."""
        return bool(self._members[path]) or any(within(self._tracked, path))
