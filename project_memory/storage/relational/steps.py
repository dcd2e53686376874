"""Numbered SQL files that bring a store to the schema version this package works with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from project_memory.errors import SchemaVersionMismatch


@dataclass(frozen=True, slots=True)
class Migration:
    """One step, from version ``number - 1`` to ``number``."""

    number: int
    name: str
    sql: str


def load(folder: Path) -> tuple[Migration, ...]:
    """Return the migrations in the files ``NNNN_name.sql`` of a folder, numbered from 1."""
    files = sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    found = tuple(
        Migration(int(file.stem[:4]), file.stem[5:], file.read_text(encoding="utf-8"))
        for file in files
    )
    assert [step.number for step in found] == list(range(1, len(found) + 1))
    return found


def check_version(found: int, wanted: int, place: object) -> None:
    """Refuse the store at a place that is of a newer schema version.

    Raises:
        SchemaVersionMismatch: `found` is above `wanted`.
    """
    if found > wanted:
        raise SchemaVersionMismatch(
            f"store '{place}' has schema version {found}, this version of project-memory knows "
            f"up to {wanted}; upgrade project-memory"
        )


def check_unchanged(found: int, wanted: int, place: object) -> None:
    """Refuse the store at a place that was upgraded since this process opened it.

    Raises:
        SchemaVersionMismatch: `found` is not `wanted`.
    """
    if found != wanted:
        raise SchemaVersionMismatch(
            f"store '{place}' was brought to schema version {found} meanwhile, this process works "
            f"with {wanted}; restart it"
        )
