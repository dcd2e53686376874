"""Read what one run of git says of a change: which files, and which of their lines.

Git is asked for names in its quoted form, so that each stands on one line whatever it holds; and
the lines of a hunk are taken by their count, so that no content of a file passes as a header.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from types import MappingProxyType

ARGUMENTS = (
    *("--raw", "--patch", "--unified=0", "--inter-hunk-context=0", "--find-renames", "-l2000"),
    *("--full-index", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative"),
    *("--submodule=short", "--ignore-submodules=dirty", "-O/dev/null"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
"""Options of a command of git that compares, for `parsed`; none of them leaves the form, or what
is run for it, to a configuration or to attributes."""


class Fate(StrEnum):
    """What a change did to a file."""

    ADDED = "added"
    CHANGED = "changed"
    RENAMED = "renamed"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Neighbouring lines that were changed.

    Attributes:
        line: Where it is in the file as it is now, from 1; the line before, if it holds no lines
            now, and 0 at the top.
        removed: The lines that went.
        added: The lines that came.
    """

    line: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One file of a change; paths are from the top, with ``/``.

    Attributes:
        path: Where it is now, or was last.
        fate: What became of it.
        was: Its path before it was renamed, else None.
        hunks: Its lines that changed, none of a binary file; None where any line may have.
    """

    path: str
    fate: Fate
    was: str | None = None
    hunks: tuple[Hunk, ...] | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """Return every path that it has or had."""
        return (self.path,) if self.was is None else (self.path, self.was)

    @property
    def line(self) -> int | None:
        """Return the first line that changed, as it is now; None where there is none."""
        if self.fate is Fate.DELETED or not self.hunks:
            return None
        return max(1, self.hunks[0].line)


_FATES: Mapping[str, Fate] = MappingProxyType(
    {"A": Fate.ADDED, "C": Fate.ADDED, "D": Fate.DELETED, "R": Fate.RENAMED}
)
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_LETTERS: Mapping[bytes, bytes] = MappingProxyType(
    {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
)


def parsed(output: bytes) -> tuple[ChangedFile, ...]:
    """Return the files of a change, sorted, from what git printed with `ARGUMENTS`."""
    lines = output.split(b"\n")
    entries = list(takewhile(lambda line: line.startswith(b":"), lines))
    hunks: dict[str, list[Hunk]] = {}
    for path, hunk in _hunks(lines, len(entries)):
        hunks.setdefault(path, []).append(hunk)
    files = {file.path: file for file in map(_file, entries)}
    return tuple(
        ChangedFile(path, file.fate, file.was, tuple(hunks.get(path, ())))
        for path, file in sorted(files.items())
    )


def _file(entry: bytes) -> ChangedFile:
    facts, *names = entry.split(b"\t")
    fate = _FATES.get(facts.rpartition(b" ")[2][:1].decode(), Fate.CHANGED)
    *before, path = map(_unquoted, names)
    return ChangedFile(path, fate, before[0] if fate is Fate.RENAMED else None)


def _hunks(lines: Sequence[bytes], start: int) -> Iterator[tuple[str, Hunk]]:
    """Yield (path now, or last, and hunk) from the patch that begins at a line."""
    path, at = "", start
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith((b"--- ", b"+++ ")) and not line.endswith(b" /dev/null"):
            path = _unquoted(line[4:].removesuffix(b"\t"))[2:]
        elif found := _HUNK.match(line):
            sizes = [1 if size is None else int(size) for size in found.group(1, 3)]
            removed, at = _taken(lines, at, sizes[0])
            added, at = _taken(lines, at, sizes[1])
            yield path, Hunk(int(found[2]), removed, added)


def _taken(lines: Sequence[bytes], at: int, count: int) -> tuple[tuple[str, ...], int]:
    """Return so many lines from a place on, and the place after them."""
    end = at + count
    taken = tuple(line[1:].decode("utf-8", "replace") for line in lines[at:end])
    without_newline = end < len(lines) and lines[end].startswith(b"\\ ")
    return taken, end + without_newline


def _unquoted(name: bytes) -> str:
    r"""Return a path that git wrote plain, or in quotes with ``\n``, ``\"`` and ``\303``."""
    if name.startswith(b'"'):
        name = _ESCAPE.sub(_meant, name[1:-1])
    return os.fsdecode(name)


def _meant(escape: re.Match[bytes]) -> bytes:
    sign = escape[1]
    return bytes([int(sign, 8)]) if sign.isdigit() else _LETTERS.get(sign, sign)
