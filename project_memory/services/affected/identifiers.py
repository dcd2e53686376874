"""Names of the code in the texts of lessons, and where a change has them.

Only what looks like a name of the code counts, and only what few lessons mention: a word that
prose has too, or that half of the lessons share, would bring lessons to every change.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from project_memory import documents
from project_memory.checkout.patches import ChangedFile
from project_memory.model import Document

MOST_MENTIONS = 3
"""A name that more lessons mention than this tells none of them apart."""

LONGEST_LINE = 2000
"""Longer lines are written by programs, and hold every name there is."""

_CHAIN = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@-]+)+", re.ASCII)
_LONGEST_CHAIN = 4
_FORM = re.compile(
    "|".join(
        (
            r"_*[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)+_*",  # snake_case, LIKE_THIS
            r"(?![A-Z]+s$)\w*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])\w*",  # CamelCase, no URLs
            r"[A-Z]{5,}",
            r"[A-Z]+[0-9]+[A-Z0-9]*",  # TS2345, E2BIG
            r"[a-z]{2,}[0-9]+[a-z0-9]*",
        )
    ),
    re.ASCII,
)
_SHORTEST = 5

_WELL_KNOWN = """
    javascript typescript github gitlab postgresql mysql sqlite sqlite3 openssl macos youtube
    powershell devops python2 python3 base64 sha256 sha512 utf16 utf32 ascii https posix linux
    windows unicode node_modules

    readme license changelog contributing fixme warning error errors important never always
    debug select insert update delete create table index where order group begin commit rollback
    false values default

    int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64
"""
"""Products and formats; what prose shouts, and every statement says; widths of numbers."""

_OF_PYTHON = {
    *dir(builtins),
    *(name for kind in (str, bytes, list, dict, set, Path) for name in dir(kind)),
    *sys.stdlib_module_names,
}
"""What programs in Python have in common: built-in names, methods of all days, modules."""

_COMMON = frozenset([*_WELL_KNOWN.split(), *map(str.lower, _OF_PYTHON)])
_ENDINGS = """
    py pyi js jsx ts tsx json toml md rst txt html css yml yaml rs go java kt c h cc cpp hpp sh
    sql xml ini cfg lock com org net io dev
"""
_FILE_ENDINGS = frozenset(_ENDINGS.split())
"""Last parts of names of files and hosts, which stand in prose as well as in code."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Where a change has a name.

    Attributes:
        path: The first file.
        line: The line there, as it is now, or None.
        is_gone: Whether it stands only in lines that went.
    """

    path: str
    line: int | None
    is_gone: bool


def sights(files: Iterable[ChangedFile]) -> dict[str, Sight]:
    """Return name -> where a change has it, for names in its lines and the paths of its files."""
    found: dict[str, Sight] = {}
    for file in files:
        for path in file.paths:
            found.setdefault(path, Sight(file.path, file.line, is_gone=path != file.path))
        for line, is_added, text in _lines(file):
            for name in _said(text):
                known = found.get(name)
                if known is None or (known.is_gone and is_added):
                    found[name] = Sight(file.path, line, is_gone=not is_added)
    return found


def distinctive(lessons: Mapping[str, Document], among: Collection[str]) -> dict[str, list[str]]:
    """Return name -> ids of the lessons that mention it, for those names that few mention."""
    by_name: dict[str, list[str]] = {}
    wanted = frozenset(among)
    for lesson, document in lessons.items():
        for name in words(document) & wanted:
            by_name.setdefault(name, []).append(lesson)
    return {name: several for name, several in by_name.items() if len(several) <= MOST_MENTIONS}


def words(document: Document) -> set[str]:
    """Return what could be names or paths in the texts of a lesson: words, and chains of them."""
    text = "\n".join(_texts(document))
    found = {word.rstrip(".") for word in _CHAIN.findall(text)}
    found.update(*(chain.split(".") for chain in found if "." in chain))
    if "/" in text:
        found.update(path.rstrip(".") for path in _PATH.findall(text))
    return found


def is_name(word: str) -> bool:
    """Return whether a word, or a chain of words with dots, looks like a name of the code."""
    if "." in word:
        parts = word.split(".")
        return min(map(len, parts)) > 1 and parts[-1].lower() not in _FILE_ENDINGS
    if len(word.strip("_")) < _SHORTEST or word.lower() in _COMMON:
        return False
    is_special = word.startswith("__") and word.endswith("__")
    return not is_special and _FORM.fullmatch(word) is not None


def _texts(document: Document) -> Iterator[str]:
    yield document["description"]
    for field in ("tags", "triggers", "solution_pattern", "pitfalls"):
        yield from document.get(field, ())
    yield from documents.fact_texts(document)


def _lines(file: ChangedFile) -> Iterator[tuple[int | None, bool, str]]:
    """Yield (line as the file is now, whether it came, text) of each line that changed."""
    for hunk in file.hunks or ():
        at = max(1, hunk.line) if file.line is not None else None
        yield from ((at, False, text) for text in hunk.removed)
        yield from ((line, True, text) for line, text in enumerate(hunk.added, hunk.line))


def _said(text: str) -> Iterator[str]:
    if len(text) > LONGEST_LINE:
        return
    for chain in _CHAIN.findall(text):
        yield from _known_names(chain)


@lru_cache(maxsize=65536)
def _known_names(chain: str) -> tuple[str, ...]:
    """Return the names in a word, or in the neighbouring parts of a chain."""
    parts = chain.rstrip(".").split(".")
    spans = (
        ".".join(parts[start:end])
        for start in range(len(parts))
        for end in range(start + 1, min(len(parts), start + _LONGEST_CHAIN) + 1)
    )
    return tuple(filter(is_name, spans))
