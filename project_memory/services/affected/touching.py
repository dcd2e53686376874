"""Which files of a change are meant by a path, a folder or a glob."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from unicodedata import normalize

from project_memory import globs
from project_memory.checkout.git import plain
from project_memory.checkout.members import within
from project_memory.checkout.patches import ChangedFile


@dataclass(frozen=True, slots=True)
class Meant:
    """Files of a change that a name means.

    Attributes:
        files: They, by path.
        is_exact: Whether the name is the path of one of them, and not of a folder or a glob.
    """

    files: tuple[ChangedFile, ...]
    is_exact: bool


def is_meant(name: str, path: str) -> bool:
    """Return whether a path, a folder or a glob means a path."""
    return path == plain(name) or any(within([path], plain(name)))


def composed(path: str) -> str:
    """Return a path with its accents as memories are kept."""
    return normalize("NFC", path)


class Touched:
    """The files of a change, by each path that they have or had."""

    def __init__(self, files: Iterable[ChangedFile], earlier: Mapping[str, str]) -> None:
        """Take in a change.

        Args:
            files: Its files.
            earlier: Names of files before the change, and long before -> their paths at last.
        """
        self.files = tuple(files)
        # accents as memories are kept, which name them so
        self._by_path = {composed(path): file for file in self.files for path in file.paths}
        self._by_path |= {
            composed(old): self._by_path[composed(path)]
            for old, path in earlier.items()
            if composed(path) in self._by_path
        }
        self._paths = sorted(composed(path) for file in self.files for path in file.paths)
        self._found: dict[str, Meant] = {}

    def meant(self, name: str) -> Meant:
        """Return the files of the change that a path, a folder or a glob means."""
        if name not in self._found:
            self._found[name] = self._meant(plain(name))
        return self._found[name]

    def _meant(self, name: str) -> Meant:
        if name in self._by_path:
            return Meant((self._by_path[name],), is_exact=True)
        files = {file.path: file for file in self._within(name)}
        return Meant(tuple(files[path] for path in sorted(files)), is_exact=False)

    def _within(self, name: str) -> Iterator[ChangedFile]:
        yield from (self._by_path[path] for path in within(self._paths, name))
        # where files are named and not compared, a folder stands for what is in it
        start = globs.literal_start(name) if globs.is_glob(name) else name
        for folder in accumulate(start.split("/")[:-1], "{}/{}".format):
            found = self._by_path.get(folder)
            if found is not None and found.hunks is None:
                yield found
