"""Whether a change can turn a check of a lesson.

A path that a check names counts whatever is changed in it. A glob means many files, so there it
counts only where the change does what the check looks for: it adds or takes away such a file, or
a line with the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias
from unicodedata import normalize

from project_memory.checkout.patches import ChangedFile, Fate
from project_memory.documents import well_formed
from project_memory.services.affected.files import said
from project_memory.services.affected.report import Kind, Reason
from project_memory.services.affected.touching import Touched, is_meant

JSON: TypeAlias = Mapping[str, Any]

_SEPARATORS = re.compile(r"[-_.]+")


def reasons(check: JSON, touched: Touched) -> Iterator[Reason]:
    """Yield why a change can turn a check, once for each file."""
    match check["type"]:
        case "dependency":
            yield from _of_dependency(check, touched)
        case "file_exists" | "file_absent":
            yield from _of_file(check, touched)
        case _:
            yield from _of_text(check, touched)


def _of_file(check: JSON, touched: Touched) -> Iterator[Reason]:
    turns = _went if check["type"] == "file_exists" else _came
    for file in touched.meant(check["path"]).files:
        if file.hunks is None or turns(check["path"], file):
            yield _told(f"checks '{said(check['path'])}'", file)


def _went(name: str, file: ChangedFile) -> bool:
    """Return whether a name no longer means a file."""
    if file.was is None:
        return file.fate is Fate.DELETED
    return is_meant(name, file.was) and not is_meant(name, file.path)


def _came(name: str, file: ChangedFile) -> bool:
    """Return whether a name means a file that it did not mean before."""
    if file.was is None:
        return file.fate is Fate.ADDED
    return is_meant(name, file.path) and not is_meant(name, file.was)


def _of_text(check: JSON, touched: Touched) -> Iterator[Reason]:
    meant = touched.meant(check["path"])
    text = check["text"]
    for file in meant.files:
        line = _line_of(file, text, came=True)
        if line is None and check["type"] == "text_present":
            line = _line_of(file, text, came=False)
        if meant.is_exact or file.hunks is None or line is not None:
            told = f"checks '{said(check['path'])}' for '{said(text)}'"
            yield _told(told, file, line)


def _of_dependency(check: JSON, touched: Touched) -> Iterator[Reason]:
    from project_memory.checkout.dependencies import (  # noqa: PLC0415  # parsers of versions
        AT_THE_TOP,
        FORMS,
    )

    requirement = check["requirement"]
    named = (form.language.named(requirement) for form in FORMS.values())
    names = {_folded(found[0]) for found in named if found is not None}
    for path in [check["path"]] if "path" in check else AT_THE_TOP:
        for file in touched.meant(path).files:
            line = next((at for at, text in _changed(file) if _names(text, names)), None)
            if file.hunks is None or line is not None:
                yield _told(f"depends on '{said(requirement)}'", file, line)


def _names(text: str, names: set[str]) -> bool:
    folded = _folded(text)
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", folded) for name in names)


def _folded(text: str) -> str:
    return _SEPARATORS.sub("-", text.lower())


def _changed(file: ChangedFile) -> Iterator[tuple[int, str]]:
    """Yield (line, from 1, text) of each line that went or came."""
    for hunk in file.hunks or ():
        yield from ((max(1, hunk.line), text) for text in hunk.removed)
        yield from enumerate(hunk.added, hunk.line)


def _line_of(file: ChangedFile, text: str, *, came: bool) -> int | None:
    """Return the line, from 1, where a text stands among those that came, or that went."""
    for hunk in file.hunks or ():
        lines = hunk.added if came else hunk.removed
        # as the texts of memories are kept, a letter and its accent are one sign
        before, found, _ = normalize("NFC", "\n".join(lines)).partition(text)
        if found:
            return max(1, hunk.line + (before.count("\n") if came else 0))
    return None


def _told(what: str, file: ChangedFile, line: int | None = None) -> Reason:
    is_there = file.fate is not Fate.DELETED
    message = f"{what}; '{said(file.path)}' was {file.fate}"
    place = (line or file.line) if is_there else None
    return Reason(Kind.CHECK, message, well_formed(file.path), place)
