"""Refuse to write an export over what it did not write: edits by hand, other files, links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from project_memory import documents, exchange
from project_memory.errors import Conflict, InvalidInput, StorageError
from project_memory.exchange import Form, Incoming, Package
from project_memory.model import (
    ExpectationChange,
    Label,
    LabelChange,
    Memory,
    MemoryChange,
    PrefixChange,
    Project,
    Registry,
    Revision,
    Severity,
    Status,
)
from project_memory.ports import Reader
from project_memory.services import expecting
from project_memory.services.older import said
from project_memory.services.validate import document_problems

_NAMED = 3
"""Files that a message names."""


def refuse_links(path: Path) -> None:
    """Refuse a directory whose parts lie elsewhere.

    Raises:
        InvalidInput: one of them is a symbolic link.
    """
    for name in exchange.PARTS:
        if (path / name).is_symlink():
            raise InvalidInput(
                f"'{name}' in '{path}' is a symbolic link, and an export writes into no other "
                "place; remove the link, or name another folder"
            )


def refuse_other_form(path: Path, form: Form) -> None:
    """Refuse a directory that holds documents in the other form, which would be told twice.

    Raises:
        InvalidInput: it does.
    """
    for ending in set(exchange.ENDINGS) - {form.ending}:
        for folder in exchange.PARTS:
            for file in (path / folder).glob(f"*{ending}"):
                raise InvalidInput(
                    f"'{path}' holds '{file.name}', and this writes files that end in "
                    f"{form.ending}; name another folder"
                )


def refuse_edited(
    reader: Reader,
    project: Project,
    path: Path,
    memories: Sequence[Memory],
    registry: Registry,
    *,
    form: Form,
) -> None:
    """Refuse to replace files of a directory that hold what the project never held.

    Raises:
        Conflict: with the first of them.
    """
    if not path.exists():
        return
    package = exchange.read(path)
    written = {memory.id: memory for memory in memories}
    edited = {
        problem.file or ""
        for problem in package.problems
        if problem.severity is Severity.ERROR and _is_written(problem.file or "", written)
    }
    edited |= {
        incoming.file
        for incoming in package.memories
        if _is_written(incoming.file, written)
        and not _is_known(reader, project, registry, written[incoming.stem], incoming)
    }
    edited |= {
        str(link.relative_to(path))
        for name in written
        for link in _places(path, name, form)
        if link.is_symlink()
    }
    if _labels_edited(reader, project, registry, package):
        edited.add("labels.json")
    if _expectations_edited(reader, project, package):
        edited.add("meta.json")
    if edited:
        raise Conflict(
            f"{_few(sorted(edited))} in '{path}' {'holds' if len(edited) == 1 else 'hold'} what "
            "this project never held; take it in first with "
            f"`project-memory import {path}`, or write over it (--overwrite)"
        )


def refuse_foreign(path: Path) -> None:
    """Refuse to replace a file that is no export.

    Raises:
        Conflict: it is none.
        StorageError: it cannot be read.
    """
    try:
        special = not (path.is_file() or path.is_dir())  # a pipe may never be written to
        foreign = path.exists() and (special or not exchange.is_export(path))
    except OSError as error:
        raise StorageError(f"cannot read '{path}' ({error.strerror})") from error
    if foreign:
        raise Conflict(
            f"'{path}' is there already and no export; name another file, or write over it "
            "(--overwrite)"
        )


def _is_written(file: str, written: Mapping[str, Memory]) -> bool:
    """Return whether an export would write this file, or remove it as a former place."""
    folder, _, name = file.rpartition("/")
    own = not folder and name in exchange.OWN
    return own or (folder in exchange.PARTS and exchange.stem_of(name) in written)


def _places(path: Path, name: str, form: Form) -> Iterator[Path]:
    for folder in exchange.PARTS:
        if folder not in exchange.OWN:
            yield path / folder / f"{name}{form.ending}"


def _is_known(
    reader: Reader, project: Project, registry: Registry, memory: Memory, incoming: Incoming
) -> bool:
    """Return whether a file is what an export wrote of a memory at some revision, or does now."""
    found = () if incoming.sound else document_problems(incoming)
    if any(problem.severity is Severity.ERROR for problem in found):
        return False
    told = (
        said(documents.canonical(incoming.document), registry),
        incoming.archived,
        incoming.pinned,
        incoming.own_status,
    )
    return any(told == _told(state, registry) for state in _lives(reader, project, memory))


def _told(memory: Memory, registry: Registry) -> tuple[Any, ...]:
    apart = memory.status is Status.SUPERSEDED and memory.own_status is not Status.ACTIVE
    own = memory.own_status if apart else None
    return said(memory.document, registry), memory.archived, memory.pinned, own


def _lives(reader: Reader, project: Project, memory: Memory) -> Iterator[Memory]:
    """Yield a memory as it is and was, and others that had its id before it."""
    yield memory
    yield from reader.states(project.key, memory.key)
    for revision in reader.revisions(project.key, memory_id=memory.id, newest_first=True):
        for change in revision.changes:
            if isinstance(change, MemoryChange) and change.key != memory.key:
                yield from (m for m in (change.before, change.after) if m and m.id == memory.id)


def _labels_edited(reader: Reader, project: Project, registry: Registry, package: Package) -> bool:
    """Return whether the folder's registry holds a label or prefix as it never was here."""
    found = package.registry
    strange: set[object] = {
        _plain(label)
        for name, label in found.labels.items()
        if name not in registry.labels or _plain(registry.labels[name]) != _plain(label)
    }
    strange |= found.single - registry.single
    if strange:
        for revision in reader.revisions(project.key, newest_first=True):
            strange -= set(_former(revision))
            if not strange:
                break
    return bool(strange)


def _expectations_edited(reader: Reader, project: Project, package: Package) -> bool:
    """Return whether the folder expects something as it was never expected here."""

    def moved(name: str) -> str:
        gone = reader.memory(project.key, name) is None
        return (reader.redirect(project.key, name) if gone else None) or name

    strange = {expecting.renamed(each, moved) for each in package.expectations}
    strange -= set(expecting.present(reader, project.key))
    if strange:
        for revision in reader.revisions(project.key, newest_first=True):
            for change in revision.changes:
                if isinstance(change, ExpectationChange):
                    sides = filter(None, (change.before, change.after))
                    strange -= {expecting.renamed(each, moved) for each in sides}
    return bool(strange)


def _former(revision: Revision) -> Iterator[object]:
    for change in revision.changes:
        match change:
            case LabelChange(before=before, after=after):
                yield from (_plain(label) for label in (before, after) if label)
            case PrefixChange(prefix=prefix):
                yield prefix


def _plain(label: Label) -> Label:
    return replace(label, aliases=tuple(sorted(label.aliases)))


def _few(files: Sequence[str]) -> str:
    named = ", ".join(f"'{file}'" for file in files[:_NAMED])
    more = len(files) - _NAMED
    return f"{named} and {more} more" if more > 0 else named
