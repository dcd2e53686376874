"""Whether what an answer says still fits the code, without keeping the answer waiting."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from threading import Lock, Thread
from types import MappingProxyType
from typing import Any, TypeAlias

from project_memory import globs
from project_memory.checkout import disk
from project_memory.checkout.chain import Chain, chain
from project_memory.checkout.git import Checkout, checkout_at, object_names, plain, run
from project_memory.checkout.reading import Reader
from project_memory.checkout.searching import Files
from project_memory.checkout.worktree import THERE
from project_memory.errors import InvalidInput
from project_memory.staleness import Fate, Named
from project_memory.verdicts import Verdict

logger = logging.getLogger(__name__)

JSON: TypeAlias = Mapping[str, Any]
_Written: TypeAlias = tuple[int, int, int, int]

MOST_MATCHES = 20
"""Files that a glob of a check may match, to be looked at in passing."""

_MOST_KEPT = 50_000
"""Answers of git that are kept."""

_NONE: Mapping[str, Sequence[JSON]] = MappingProxyType({})

_MOVING = ("HEAD", "index", "logs/HEAD")
"""Files of git of which at least one is written when another commit is checked out."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen in time.

    Attributes:
        fates: Which files changed, or are missing.
        verdicts: By name of the memory, what does not hold of its checks.
    """

    fates: dict[Named, Fate] = field(default_factory=dict)
    verdicts: dict[str, tuple[Verdict, ...]] = field(default_factory=dict)


class Glance:
    """What a checkout was and is, looked at in threads of its own; safe to share.

    The line of commits is read once for each commit that is checked out, the content of a file at
    a commit once, and that of a file on the disk once for each time it was written. Texts that
    checks ask for are searched for by each answer.
    """

    def __init__(self, find: Callable[[], Path | None], *, patience: float | None) -> None:
        """Look at the folder that `find` returns, called once, in a thread; None for none.

        Args:
            find: Returns a folder in the checkout.
            patience: Seconds that an answer waits at most; None for as long as it takes. What
                comes too late serves the next answer.
        """
        self._find = find
        self._patience = patience
        self._lock = Lock()
        self._git_folder: Path | None = None
        self._seen: list[_Written | None] = []
        self._checkout: Checkout | None = None
        self._line = Chain((), ())
        self._then: dict[str, str | None] = {}
        self._now: dict[tuple[str, _Written], str] = {}
        self._tracked: tuple[_Written | None, Sequence[str]] = (None, ())
        self._is_over = False

    def prepare(self) -> None:
        """Begin to read the line of commits, so that the first answer finds it read."""
        self._started(self._catch_up)

    def look(
        self, named: Iterable[Named] = (), checks: Mapping[str, Sequence[JSON]] = _NONE
    ) -> Seen:
        """Return what is known in time of files, and of the checks of memories, by name.

        Of files, globs and folders are not looked at, and neither is what was not there on its
        day; for checks, a glob means what git tracks, and few files.
        """
        asked = [each for each in named if not globs.is_glob(each.path)]
        made = {name: several for name, several in checks.items() if several}
        seen = Seen()

        def act() -> None:
            seen.fates.update(self._looked(asked) if asked else {})
            seen.verdicts.update(self._judged(made) if made else {})

        if (asked or made) and not self._is_over:
            self._started(act).join(self._patience)
        return Seen(dict(seen.fates), dict(seen.verdicts))

    def _started(self, act: Callable[[], object]) -> Thread:
        def locked() -> None:
            with self._lock:
                try:
                    act()
                except InvalidInput as error:
                    logger.debug("files are not compared: %s", error)

        thread = Thread(target=locked, daemon=True)
        thread.start()
        return thread

    def _looked(self, named: Iterable[Named]) -> dict[Named, Fate]:
        checkout = self._catch_up()
        if checkout is None or checkout.head is None:
            return {}
        paths = {each: plain(each.path) for each in named}
        positions = {each: self._line.position(each.day) for each in paths}
        bases = {e: self._line.commits[at] for e, at in positions.items() if at is not None}
        self._read_commits(
            checkout, {(c, paths[e]) for e in bases for c in (bases[e], checkout.head)}
        )
        now = self._read_disk(checkout, {paths[each] for each in bases})
        found: dict[Named, Fate] = {}
        for each, commit in bases.items():
            path = paths[each]
            was, last = self._then[f"{commit}:{path}"], self._then[f"{checkout.head}:{path}"]
            if was is not None and path in now and now[path] not in {THERE, was}:
                found[each] = Fate.CHANGED
            elif was is not None and path not in now and last is None:
                found[each] = Fate.MISSING
        return found

    def _judged(self, checks: Mapping[str, Sequence[JSON]]) -> dict[str, tuple[Verdict, ...]]:
        from project_memory.checkout import evaluation  # noqa: PLC0415  # few memories have checks

        checkout = self._found()
        if checkout is None:
            return {}
        files = Files(Reader(checkout.root), lambda: self._paths(checkout), most=MOST_MATCHES)
        return evaluation.judged(files, checks)

    def _paths(self, checkout: Checkout) -> Sequence[str]:
        """Return what git tracks, read once for each time that its index was written."""
        from project_memory.checkout import evaluation  # noqa: PLC0415  # see `_judged`

        assert self._git_folder is not None
        index = _written(self._git_folder / "index")
        if self._tracked[0] != index or index is None:
            self._tracked = index, evaluation.listed(checkout, ("--cached",))
        return self._tracked[1]

    def _found(self) -> Checkout | None:
        """Return the checkout as it was last seen, or None if there is none."""
        if self._checkout is None and not self._is_over:
            self._is_over = not self._sought()
        return self._checkout

    def _catch_up(self) -> Checkout | None:
        """Return the checkout with the line of its commits read, or None if there is none.

        Of a partial clone it is not read: what the past was would have to be fetched.
        """
        self._found()
        if self._checkout is None or self._checkout.partial or self._git_folder is None:
            return None
        seen = [_written(self._git_folder / name) for name in _MOVING]
        if seen != self._seen:
            self._checkout = checkout_at(self._checkout.root)
            self._line = chain(self._checkout, date.min.isoformat())
            self._seen = seen
        return self._checkout

    def _sought(self) -> bool:
        """Find the checkout and return whether there is one."""
        try:
            folder = self._find()
            self._checkout = None if folder is None else checkout_at(folder)
        except (InvalidInput, OSError) as error:  # the working directory may be gone
            logger.debug("no files are compared: %s", error)
        if self._checkout is None:
            return False
        answer = run(self._checkout.root, "rev-parse", "--absolute-git-dir")
        self._git_folder = Path(os.fsdecode(answer.removesuffix(b"\n")))
        return True

    def _read_commits(self, checkout: Checkout, wanted: Iterable[tuple[str, str]]) -> None:
        """Read which files there are at commits, as far as that is not known."""
        names = [f"{commit}:{path}" for commit, path in wanted]
        if len(self._then) > _MOST_KEPT:
            self._then.clear()
        names = [name for name in names if name not in self._then]
        found = object_names(checkout.root, names)
        self._then.update(zip(names, found, strict=True))

    def _read_disk(self, checkout: Checkout, paths: Iterable[str]) -> dict[str, str]:
        """Return path -> object id, or `THERE`, of what there is now."""
        root = checkout.root
        there = [path for path in paths if disk.kind(root, path) is not None]
        written = {path: at for path in there if (at := _written(root / path)) is not None}
        if len(self._now) > _MOST_KEPT:
            self._now.clear()
        fresh = [path for path, at in written.items() if (path, at) not in self._now]
        for path, object_id in disk.object_ids(checkout, fresh).items():
            self._now[path, written[path]] = object_id
        return {path: self._now.get((path, at), THERE) for path, at in written.items()}


def _written(path: Path) -> _Written | None:
    """Return what tells whether a file was written since, or None where there is none."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode
