"""Search files of a checkout for literal texts: each file is read once, whatever asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from unicodedata import normalize

from project_memory import globs
from project_memory.checkout.members import within
from project_memory.checkout.reading import OUTSIDE, Reader, Unread, leads_out

MAX_MATCHES = 20_000
"""Files that one glob may match."""


class Files:
    """The files of a checkout, by path or glob."""

    def __init__(
        self, reader: Reader, listed: Callable[[], Sequence[str]], *, most: int = MAX_MATCHES
    ) -> None:
        """Take files from a reader.

        Args:
            reader: Looks at them, and reads them.
            listed: Returns the sorted paths that globs choose from; called once, if at all.
            most: How many files one glob may match.
        """
        self._most = most
        self.reader = reader
        self._listed = listed
        self._paths: Sequence[str] | None = None
        self._matches: dict[str, tuple[str, ...] | Unread] = {}

    def matches(self, path: str) -> tuple[str, ...] | Unread:
        """Return the paths that a glob means, sorted; a path without wildcards is its own."""
        if not globs.is_glob(path):
            return (path,)
        if path not in self._matches:
            self._matches[path] = self._matching(path)
        return self._matches[path]

    def _matching(self, glob: str) -> tuple[str, ...] | Unread:
        if leads_out(glob):
            return OUTSIDE
        if self._paths is None:
            self._paths = self._listed()
        found = tuple(islice(within(self._paths, glob), self._most + 1))
        if len(found) <= self._most:
            return found
        return Unread(f"matches more than {self._most:,} files", "narrow it")


@dataclass(slots=True)
class Search:
    """What became of the search of one path or glob.

    Attributes:
        read: How many files were searched.
        places: Text -> the first file that holds it, in the order of paths, and the line there.
        unread: The first file that could not be searched, and why.
    """

    read: int = 0
    places: dict[str, tuple[str, int]] = field(default_factory=dict)
    unread: tuple[str, Unread] | None = None


def searched(files: Files, wanted: Iterable[tuple[str, str]]) -> Mapping[str, Search]:
    """Return path or glob -> its search, for texts that are wanted at (path or glob, text)."""
    texts: dict[str, dict[str, bytes]] = {}
    for path, text in wanted:
        texts.setdefault(path, {})[text] = text.encode("utf-8", "surrogatepass")
    searches = {path: Search() for path in texts}
    for file, paths in sorted(_by_file(files, searches).items()):
        held = files.reader.read(file)
        for path in paths:
            _look(searches[path], file, held, texts[path], alone=path == file)
    return searches


def _by_file(files: Files, searches: Mapping[str, Search]) -> dict[str, list[str]]:
    """Return file -> the paths and globs that mean it."""
    found: dict[str, list[str]] = {}
    for path, search in searches.items():
        match files.matches(path):
            case Unread() as unread:
                search.unread = path, unread
            case members:
                for file in members:
                    found.setdefault(file, []).append(path)
    return found


def _look(
    search: Search,
    file: str,
    held: bytes | Unread | None,
    texts: Mapping[str, bytes],
    *,
    alone: bool,
) -> None:
    """Search one file; what is passed over counts only where it is named alone."""
    if isinstance(held, Unread):
        if search.unread is None and (alone or not held.is_skipped):
            search.unread = file, held
    elif held is not None:
        search.read += 1
        for text, sought in texts.items():
            if text not in search.places and (line := _line(held, sought)):
                search.places[text] = file, line


def _line(held: bytes, sought: bytes) -> int | None:
    """Return the line in which a text begins, or None; line ends of either kind are one."""
    if b"\n" in sought:
        held = held.replace(b"\r\n", b"\n")
    at = held.find(sought)
    if at < 0 and not sought.isascii():
        held = _composed(held)
        at = held.find(sought)
    return None if at < 0 else held.count(b"\n", 0, at) + 1


@lru_cache(maxsize=1)  # the texts that are sought in one file come one after the other
def _composed(held: bytes) -> bytes:
    """Return a text as the texts of memories are kept: a letter and its accent as one sign."""
    if held.isascii():
        return held
    return normalize("NFC", held.decode("utf-8", "surrogateescape")).encode(
        "utf-8", "surrogateescape"
    )
