"""The files of a folder that may be read: no link is followed, nothing private is opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from project_memory.documents import printable
from project_memory.errors import InvalidInput, StoreUnreadable
from project_memory.exchange.foreign.item import MAX_FILES

MAX_DEPTH = 32
"""Folders within folders."""
_PRIVATE = "private"


def files(top: Path, wanted: Callable[[str], bool]) -> tuple[list[str], list[str]]:
    """Return (names relative to the folder, sorted, one sentence for what was passed over).

    Folders that begin with a dot, and those called private in any case, are never opened;
    symbolic links are not followed.

    Args:
        top: The folder.
        wanted: Tells by its name whether a file is asked for.

    Raises:
        InvalidInput: there are more files or levels than are read.
        StoreUnreadable: a folder cannot be read.
    """
    walk = _Walk(top, wanted)
    while walk.waiting:
        walk.look_into(*walk.waiting.pop())
    return sorted(walk.found), sorted(walk.passed)


class _Walk:
    """What was found so far, and the folders that wait to be looked into."""

    def __init__(self, top: Path, wanted: Callable[[str], bool]) -> None:
        self.found: list[str] = []
        self.passed: list[str] = []
        self.waiting = [("", 0)]
        self._top, self._wanted = top, wanted

    def look_into(self, folder: str, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise InvalidInput(
                f"'{printable(folder)}' lies {depth} folders deep; at most {MAX_DEPTH} are read: "
                "import a folder further down"
            )
        for entry in _entries(self._top / folder):
            name = f"{folder}{entry.name}"
            if entry.is_symlink():
                if self._wanted(entry.name) or entry.is_dir():
                    self.passed.append(f"{printable(name)}: a symbolic link; not followed")
            elif entry.is_dir():
                self._wait(entry.name, name, depth)
            elif self._wanted(entry.name) and entry.is_file():
                self.found.append(name)
        if len(self.found) > MAX_FILES:
            raise InvalidInput(
                f"'{printable(self._top.name)}' holds more than {MAX_FILES:,} files; import its "
                "folders one by one"
            )

    def _wait(self, last: str, name: str, depth: int) -> None:
        if last.lower() == _PRIVATE:
            self.passed.append(f"{printable(name)}/: private; not opened")
        elif not last.startswith("."):
            self.waiting.append((f"{name}/", depth + 1))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{printable(str(folder))}' ({error.strerror}); nothing was taken from it"
        ) from error
