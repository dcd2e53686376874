"""Read files strictly enough that nothing broken passes, each problem with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from project_memory.documents import quotable
from project_memory.errors import StoreUnreadable
from project_memory.exchange import frontmatter, text
from project_memory.exchange.folder import OnDisk
from project_memory.exchange.foreign.item import MAX_FILE, MAX_ITEMS, Findings
from project_memory.exchange.frontmatter import BrokenFrontmatter, Note

_DECODER = json.JSONDecoder()
_DEEPEST = 64
_MARKER = re.compile(r"^<{7} ", re.MULTILINE)  # seven equals signs underline a heading


def content(top: Path, name: str, found: Findings) -> str | None:
    """Return the text of a file in a folder; None where that is a problem, which is noted.

    Raises:
        StoreUnreadable: it cannot be read.
    """
    try:
        read, problems = text.load(OnDisk(top), name, found.file, limit=MAX_FILE)
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{found.file}' ({error.strerror}); nothing was taken from it"
        ) from error
    found.problems += problems
    if problems:
        return None
    if "\x00" in read:
        line = read.count("\n", 0, read.index("\x00")) + 1
        found.problem("not-text", "the file holds NUL, as text does not", "name a text file", line)
        return None
    marker = _MARKER.search(read)
    if marker is not None:
        line = read.count("\n", 0, marker.start()) + 1
        found.problem("merge-marker", "an unresolved merge marker", "resolve the merge", line)
        return None
    if not read.strip():
        found.problem("empty", "the file is empty", "name one that holds something")
        return None
    return read


def note(read: str, found: Findings) -> Note | None:
    """Return a note with its frontmatter; None where that is broken, which is noted."""
    try:
        return frontmatter.parse(read)
    except BrokenFrontmatter as error:
        found.problem("bad-frontmatter", error.message, error.fix, error.line)
        return None


def value(read: str, found: Findings) -> Any:
    """Return the one JSON value of a text; None where it is broken, which is noted."""
    parsed, problems = text.parse(read, found.file)
    found.problems += problems
    if not problems and too_deep(parsed):
        _note_depth(found, 1)
        return None
    return parsed


def objects(read: str, found: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line, JSON object) of every object in a text of one or several to a line.

    Objects that follow each other without a line break count as well. What is no object, or
    broken, is noted as a problem, and the next line is read.
    """
    for number, line in enumerate(read.split("\n"), 1):
        yield from ((number, each) for each in _of_line(line.strip(), number, found))
        if len(found.problems) >= 50:  # enough to see that it is another format
            return


def _of_line(line: str, number: int, found: Findings) -> Iterator[dict[str, Any]]:
    position = 0
    while position < len(line):
        try:
            parsed, end = _DECODER.raw_decode(line, position)
        except (json.JSONDecodeError, RecursionError, ValueError) as error:
            said = error.msg if isinstance(error, json.JSONDecodeError) else "unreadable"
            found.problem(
                "bad-json",
                f"'{_shown(line[position:])}' is not JSON: {said}",
                "write one JSON object to a line",
                number,
            )
            return
        if not isinstance(parsed, dict):
            found.problem(
                "not-an-object",
                f"'{_shown(line[position:end])}' is no JSON object",
                "write one JSON object to a line",
                number,
            )
            return
        if too_deep(parsed):
            _note_depth(found, number)
            return
        yield parsed
        position = end + len(line[end:]) - len(line[end:].lstrip(" \t,"))


def too_deep(parsed: Any) -> bool:
    """Return whether a JSON value is nested deeper than any format here."""
    level, depth = [parsed], 0
    while level and depth <= _DEEPEST:
        members = (each.values() if isinstance(each, dict) else each for each in level)
        level = [m for several in members if not isinstance(several, (str, int, float, type(None)))
                 for m in several if isinstance(m, (dict, list))]  # fmt: skip
        depth += 1
    return bool(level)


def wrong(field: str, given: Any, wanted: str) -> str:
    """Return the sentence that a field holds something else than it should."""
    if given is None:
        return f"'{field}' is missing; it is {wanted}"
    said = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, default=repr)
    return f"'{field}' is '{_shown(said)}', not {wanted}"


def bounded(found: Findings) -> bool:
    """Return whether no more items were found than are imported at once; else note it."""
    if len(found.items) <= MAX_ITEMS:
        return True
    found.problem("too-many", f"there are more than {MAX_ITEMS:,} items", "import it in parts")
    return False


def _note_depth(found: Findings, line: int) -> None:
    found.problem(
        "too-deep", f"JSON is nested more than {_DEEPEST} deep", "name a file of the format", line
    )


def _shown(given: str) -> str:

    shown = quotable(given[:200])
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
