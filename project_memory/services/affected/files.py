"""Why a change touches a lesson through its files, and whether it must be looked at again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from project_memory.checkout.git import plain
from project_memory.checkout.patches import ChangedFile, Fate
from project_memory.documents import quotable, shortened, well_formed
from project_memory.model import Memory
from project_memory.services.affected.report import Kind, Reason
from project_memory.services.affected.touching import Meant, Touched, composed
from project_memory.staleness import named_files, outlasts_changes


def reasons(memory: Memory, touched: Touched) -> Iterator[Reason]:
    """Yield why a change touches a memory, one for each of its files, folders and globs."""
    for each in named_files(memory):
        meant = touched.meant(each.path)
        if meant.files:
            first = meant.files[0]
            kind = Kind.FILE if meant.is_exact else Kind.GLOB
            yield Reason(kind, _message(each.path, meant), well_formed(first.path), first.line)


def to_revalidate(memory: Memory, touched: Touched, made_on: str) -> Iterator[str]:
    """Yield what to look at again after a change of a day.

    What was committed on the day of the validation, or before it, counts as seen; what was
    decided outlasts a change of content.
    """
    settled = outlasts_changes(memory.document["labels"])
    for each in named_files(memory):
        meant = touched.meant(each.path)
        path = plain(each.path)
        if meant.is_exact and (moved := _moved(path, meant.files[0])):
            yield moved
        elif not settled and each.day < made_on:
            changed = [file for file in meant.files if _has_other_content(file)]
            if changed:
                yield f"{_listed(changed)} changed after the validation of {each.day}"


def _moved(path: str, file: ChangedFile) -> str | None:
    if file.fate is Fate.DELETED:
        return f"'{said(path)}' is gone; correct its files"
    if path != composed(file.path):
        return f"'{said(path)}' is '{said(file.path)}' now; correct its files"
    return None


def _has_other_content(file: ChangedFile) -> bool:
    if file.fate is Fate.RENAMED:
        return bool(file.hunks)
    return file.fate is not Fate.ADDED


def _message(name: str, meant: Meant) -> str:
    first = meant.files[0]
    path = plain(name)
    if not meant.is_exact:
        return f"names '{said(name)}'; {_listed(meant.files)} {_fate(meant.files)}"
    if first.was is not None and composed(first.was) == path:
        return f"names '{said(name)}', which was renamed to '{said(first.path)}'"
    if composed(first.path) != path:
        return f"names '{said(name)}', which is '{said(first.path)}' now and was {first.fate}"
    came = f" from '{said(first.was)}'" if first.was else ""
    return f"names '{said(name)}', which was {first.fate}{came}"


def _listed(files: Sequence[ChangedFile]) -> str:
    more = len(files) - 1
    others = f" and {more} other{'s' * (more != 1)}" if more else ""
    return f"'{said(files[0].path)}'{others}"


def _fate(files: Sequence[ChangedFile]) -> str:
    if len(files) > 1:
        return "were changed"
    return f"was {files[0].fate}"


@lru_cache(maxsize=8192)
def said(text: str) -> str:
    """Return a path, or other text of a store or repository, as a message may repeat it."""
    return shortened(quotable(text))
