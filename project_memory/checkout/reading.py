"""Look at files of a checkout, and read them within bounds; never outside it, never what waits.

A path is taken as it stands: whatever leads out of the checkout, over a symbolic link or not, is
not looked at. Only regular files are opened.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TypeAlias

MAX_FILE_BYTES = 16 * 1024 * 1024
"""Size of the largest file that is read."""

MAX_RUN_BYTES = 1024 * 1024 * 1024
"""How much one run reads."""

_LOOKED_AT = 8000  # bytes at the beginning, as git does to know what is binary
_NEVER_WAITS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


@dataclass(frozen=True, slots=True)
class Unread:
    """What keeps a file from being read.

    Attributes:
        why: What the file is, to follow its name.
        fix: What to do.
        is_skipped: Whether a search of many files passes over it.
    """

    why: str
    fix: str
    is_skipped: bool = False


@dataclass(frozen=True, slots=True)
class Regular:
    """A regular file, and its size in bytes."""

    size: int


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder."""


Found: TypeAlias = Regular | Folder | Unread | None
"""What is at a path; None for nothing."""

OUTSIDE = Unread("leads out of the checkout", "name a path in it")
_BINARY = Unread("is binary", "name a file of text", is_skipped=True)
_SPECIAL = Unread("is no regular file", "name one")
_SPENT = Unread(
    f"is not read: one run reads at most {MAX_RUN_BYTES:,} bytes", "narrow the globs of the checks"
)


_OF_GIT = Unread("is git's own, which is never read", "name a file of the code")


def leads_out(path: str) -> bool:
    """Return whether a path is absolute on some system, or goes up."""
    is_absolute = path.startswith(("/", "~")) or path[1:2] == ":"
    return is_absolute or "\\" in path or ".." in path.split("/")


def _refused(path: str) -> Unread | None:
    """Return why a path is not looked at, or None where it is."""
    if leads_out(path):
        return OUTSIDE
    # in any case: some systems tell no difference
    return _OF_GIT if ".git" in path.lower().split("/") else None


def look(root: Path, path: str) -> Found:
    """Return what is at a path from the top of a checkout, without opening it."""
    refused = _refused(path)
    if refused is not None:
        return refused
    *folders, last = accumulate(path.split("/"), "{}/{}".format)
    for folder in folders:
        match _at(root, folder):
            case Unread(is_skipped=True):
                return _linked(f"lies behind the symbolic link '{folder}'", "where it really is")
            case Unread() as unread if unread is not _SPECIAL:
                return unread
            case Folder():
                continue
        return None
    return _at(root, last)


def _at(root: Path, path: str) -> Found:
    """Return what is at a path whose folders are known to be folders."""
    try:
        return _of(os.lstat(f"{root}/{path}"))
    except PermissionError:
        return Unread("may not be looked at", "see its permissions")
    except (OSError, ValueError):  # not there, or no name that a file can have
        return None


class Reader:
    """Reads files of a checkout for one run, and keeps count."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: set[str] = set()
        self._left = MAX_RUN_BYTES
        self._kept: dict[str, bytes | Unread | None] = {}

    def look(self, path: str) -> Found:
        """See `look`; a folder that was one is not looked at again."""
        folder = path.rpartition("/")[0]
        if folder in self._folders:
            return _refused(path) or _at(self._root, path)
        found = look(self._root, path)
        if isinstance(found, (Regular, Folder)):
            self._folders.add(folder)
        return found

    def read(self, path: str) -> bytes | Unread | None:
        """Return what a file holds, as it is on the disk, or None if there is none."""
        if path in self._kept:
            return self._kept[path]
        match self.look(path):
            case Regular(size):
                return self._read(path, size)
            case Folder():
                return Unread(
                    "is a folder", f"name files in it, such as '{path}/**'", is_skipped=True
                )
            case other:
                return other

    def keep(self, path: str) -> bytes | Unread | None:
        """Return what a file holds, and remember it. See `read`."""
        self._kept[path] = self.read(path)
        return self._kept[path]

    def _read(self, path: str, size: int) -> bytes | Unread | None:
        if size > MAX_FILE_BYTES:
            return _too_large(size)
        if size > self._left:
            return _SPENT
        held = _held(self._root / path)
        if isinstance(held, bytes):
            self._left -= len(held)
        return held


def _of(found: os.stat_result) -> Found:
    if stat.S_ISREG(found.st_mode):
        return Regular(found.st_size)
    if stat.S_ISDIR(found.st_mode):
        return Folder()
    if stat.S_ISLNK(found.st_mode):
        return _linked("is a symbolic link", "that it leads to")
    return _SPECIAL


def _linked(why: str, what: str) -> Unread:
    return Unread(f"{why}, and none is followed", f"name the file {what}", is_skipped=True)


def _too_large(size: int) -> Unread:
    return Unread(
        f"has {size:,} bytes, and at most {MAX_FILE_BYTES:,} are read", "name a smaller file"
    )


def _held(place: Path) -> bytes | Unread | None:
    """Return what a file holds that was regular and small a moment before."""
    try:
        with os.fdopen(os.open(place, _NEVER_WAITS), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return _SPECIAL
            held = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Unread(f"cannot be read ({(error.strerror or str(error)).lower()})", "see why")
    if len(held) > MAX_FILE_BYTES:
        return _too_large(len(held))
    return _BINARY if b"\0" in held[:_LOOKED_AT] else held
