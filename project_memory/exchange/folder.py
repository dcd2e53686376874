"""Where the files of a directory come from: the disk, or wherever else their content is held."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class Folder(Protocol):
    """A directory with at most one level of folders; names are relative to it, with ``/``."""

    def holds(self, name: str) -> bool:
        """Return whether there is anything of this name, be it a link to nowhere."""

    def entries(self, name: str) -> Iterable[tuple[str, bool]]:
        """Return (name, whether it is a regular file) of what lies in a folder; "" is the whole.

        Raises:
            OSError: it cannot be read.
        """

    def is_file(self, name: str) -> bool:
        """Return whether it is a regular file, or a link to one.

        Raises:
            OSError: there is nothing of this name.
        """

    def content(self, name: str, limit: int) -> bytes | None:
        """Return what a regular file holds; None if it holds more bytes than `limit`.

        Raises:
            OSError: it cannot be read.
        """


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A directory of the file system."""

    path: Path

    def holds(self, name: str) -> bool:
        """See `Folder.holds`."""
        return os.path.lexists(self.path / name)

    def entries(self, name: str) -> Iterable[tuple[str, bool]]:
        """See `Folder.entries`."""
        with os.scandir(self.path / name) as found:
            return [(entry.name, entry.is_file()) for entry in found]

    def is_file(self, name: str) -> bool:
        """See `Folder.is_file`."""
        return stat.S_ISREG(os.stat(f"{self.path}/{name}").st_mode)  # noqa: PTH116  # bulk

    def content(self, name: str, limit: int) -> bytes | None:
        """See `Folder.content`."""
        with open(f"{self.path}/{name}", "rb", buffering=0) as opened:  # noqa: PTH123  # bulk
            size = os.fstat(opened.fileno()).st_size
            if size > limit:
                return None
            data = opened.read(size + 1)
            # the system's own files tell no size
            while len(data) <= limit and (len(data) != size or size == 0):
                more = opened.read(limit + 1 - len(data))
                if not more:
                    break
                data += more
        return None if len(data) > limit else data


@dataclass(frozen=True, slots=True)
class Held:
    """A directory whose files are held in memory.

    Attributes:
        files: Name -> content.
        others: Names of what is there and is no regular file.
    """

    files: Mapping[str, bytes]
    others: frozenset[str] = frozenset()

    def holds(self, name: str) -> bool:
        """See `Folder.holds`."""
        known = (*self.files, *self.others)
        return any(one == name or one.startswith(f"{name}/") for one in known)

    def entries(self, name: str) -> Iterable[tuple[str, bool]]:
        """See `Folder.entries`."""
        start = f"{name}/" if name else ""
        for one, is_file in (*((f, True) for f in self.files), *((o, False) for o in self.others)):
            rest = one.removeprefix(start)
            if one.startswith(start) and "/" not in rest:
                yield rest, is_file

    def is_file(self, name: str) -> bool:
        """See `Folder.is_file`."""
        return name in self.files

    def content(self, name: str, limit: int) -> bytes | None:
        """See `Folder.content`."""
        data = self.files[name]
        return None if len(data) > limit else data


def held(disk: OnDisk, wanted: Callable[[str], bool]) -> Held:
    """Return what a directory and the folders in it hold now, of the names that are wanted.

    Raises:
        OSError: something cannot be read.
    """
    files: dict[str, bytes] = {}
    others: set[str] = set()
    for name in sorted(_names(disk)):
        if not wanted(name):
            continue
        path = disk.path / name
        if path.is_file():
            files[name] = path.read_bytes()
        else:
            others.add(name)
    return Held(files, frozenset(others))


def _names(disk: OnDisk) -> Iterator[str]:
    for name, is_file in disk.entries(""):
        yield name
        if not is_file and (disk.path / name).is_dir():
            yield from (f"{name}/{inner}" for inner, _ in disk.entries(name))
