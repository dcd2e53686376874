"""Write a project to a directory or to one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from project_memory.exchange import directory as directory_form
from project_memory.exchange import single
from project_memory.model import Project
from project_memory.ports import Reader


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written: documents and labels in it, and how many files changed on disk."""

    path: str
    memories: int
    labels: int
    files_changed: int


def directory(reader: Reader, project: Project, path: Path) -> ExportReport:
    """Write the directory form; authority and history stay behind.

    Raises:
        StorageError: a file cannot be written.
    """
    registry = reader.registry(project.key)
    count, changed = directory_form.write(path, reader.memories(project.key), registry)
    return ExportReport(str(path), count, len(registry.labels), changed)


def single_file(
    reader: Reader, project: Project, path: Path, *, with_history: bool
) -> ExportReport:
    """Write the single file, which loses nothing.

    Raises:
        StorageError: the file cannot be written.
    """
    registry = reader.registry(project.key)
    history = reader.revisions(project.key) if with_history else ()
    count = single.write(path, project.name, reader.memories(project.key), registry, history)
    return ExportReport(str(path), count, len(registry.labels), 1)
