"""Write a project to a directory or to one file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from project_memory import exchange
from project_memory.errors import StorageError
from project_memory.exchange import Form, single
from project_memory.exchange import directory as directory_form
from project_memory.lifecycle import effective_facts
from project_memory.model import Memory, MemoryChange, Project
from project_memory.ports import Reader
from project_memory.proposals import State
from project_memory.services import expecting, overwriting


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written.

    Attributes:
        path: Directory or file.
        memories: Documents in it.
        labels: Labels in it.
        files_changed: Files that were not the same before.
        removed: Files taken away, whose memory the store deleted or renamed since.
        unknown: Files left alone that are no part of the project, or were edited since.
        expired: Ids of the memories with facts that count for less than their documents say.
    """

    path: str
    memories: int
    labels: int
    files_changed: int
    removed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()


def directory(
    reader: Reader,
    project: Project,
    path: Path,
    today: date,
    *,
    overwrite: bool,
    form: str = "directory",
) -> ExportReport:
    """Write a directory, in JSON or as notes; authority and history stay behind.

    The file of a memory that is gone goes too, if it is as an export wrote it. With `overwrite`,
    what was edited in files of the project is lost.

    Raises:
        InvalidInput: a part of the directory is a symbolic link, or it holds the other form.
        Conflict: files hold what the project never held, and `overwrite` is false.
        StorageError: a file cannot be written or removed.
    """
    registry = reader.registry(project.key)
    memories = list(reader.memories(project.key))
    written = exchange.form_named(form)
    overwriting.refuse_links(path)
    overwriting.refuse_other_form(path, written)
    if not overwrite:
        overwriting.refuse_edited(reader, project, path, memories, registry, form=written)
    expected = expecting.present(reader, project.key)
    count, changed = directory_form.write(path, memories, registry, expected, written)
    removed: list[str] = []
    unknown: list[str] = []
    for file in directory_form.leftovers(path, {memory.id for memory in memories}, written):
        gone = _is_gone(reader, project, file, written)
        (removed if gone else unknown).append(file.relative_to(path).as_posix())
        if gone:
            _remove(file)
    return ExportReport(
        str(path),
        count,
        len(registry.labels),
        changed,
        tuple(removed),
        tuple(unknown),
        _expired(memories, today),
    )


def _is_gone(reader: Reader, project: Project, file: Path, form: Form) -> bool:
    """Return whether a file is what an export wrote of a memory that has left this id."""
    if reader.last_version(project.key, file.stem) == 0:
        return False
    content = file.read_bytes()
    return any(
        isinstance(change, MemoryChange)
        and any(content == _written(m, file.stem, form) for m in (change.before, change.after))
        for revision in reader.revisions(project.key, memory_id=file.stem, newest_first=True)
        for change in revision.changes
    )


def _written(memory: Memory | None, name: str, form: Form) -> bytes | None:
    if memory is None or memory.id != name:
        return None
    return form.write(memory.document).encode("utf-8", "surrogatepass")


def _remove(file: Path) -> None:
    try:
        file.unlink()
    except OSError as error:
        raise StorageError(f"cannot remove '{file}' ({error.strerror})") from error


def single_file(
    reader: Reader,
    project: Project,
    path: Path,
    today: date,
    *,
    with_history: bool,
    overwrite: bool,
    in_lines: bool = False,
) -> ExportReport:
    """Write the single file, or the same one row to a line; neither loses anything.

    Raises:
        Conflict: there is a file that is no export, and `overwrite` is false.
        StorageError: the file cannot be written.
    """
    if not overwrite:
        overwriting.refuse_foreign(path)
    content = portable(reader, project, with_history=with_history)
    (single.write_lines if in_lines else single.write)(path, content)
    count, labels = len(content["memories"]), len(content["labels"]["labels"])
    expired = _expired(reader.memories(project.key), today)
    return ExportReport(str(path), count, labels, 1, expired=expired)


def portable(reader: Reader, project: Project, *, with_history: bool) -> dict[str, Any]:
    """Return what the single file holds. See `single.value`."""
    return single.value(
        project.name,
        reader.memories(project.key),
        reader.registry(project.key),
        reader.revisions(project.key) if with_history else (),
        proposals=reader.proposals(project.key, State.WAITING),
        expectations=expecting.present(reader, project.key),
    )


def _expired(memories: Iterable[Memory], today: date) -> tuple[str, ...]:
    return tuple(memory.id for memory in memories if effective_facts(memory.document, today))
