"""Rows by which memories are found by texts like theirs.

`text_bands` has no index by memory, which would cost as much as the table itself: what a memory
has there is told by its row of `imprints`, and both change together.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from sys import byteorder

from project_memory.storage.sqlite.session import Session


def insert(session: Session, project: int, key: int, bands: Iterable[int], signs: bytes) -> None:
    """Enter a memory that has no rows under its bands."""
    distinct = set(bands)
    if not distinct:
        return
    sql = "INSERT INTO imprints (memory_key, signs, bands) VALUES (?, ?, ?)"
    session.run(sql, (key, signs, packed(distinct)))
    sql = "INSERT INTO text_bands (project, band, memory_key) VALUES (?, ?, ?)"
    session.run_each(sql, [(project, band, key) for band in distinct])


def remove(session: Session, project: int, key: int) -> None:
    """Remove the rows of a memory, if it has any."""
    row = session.row("SELECT bands FROM imprints WHERE memory_key = ?", (key,))
    if row is None:
        return
    sql = "DELETE FROM text_bands WHERE project = ? AND band = ? AND memory_key = ?"
    session.run_each(sql, [(project, band, key) for band in unpacked(row[0])])
    session.run("DELETE FROM imprints WHERE memory_key = ?", (key,))


def packed(bands: Iterable[int]) -> bytes:
    """Return bands as eight bytes each."""
    return _little(array("q", bands)).tobytes()


def unpacked(stored: bytes) -> list[int]:
    """Return the bands that `packed` was given."""
    return _little(array("q", stored)).tolist()


def _little(bands: array[int]) -> array[int]:
    """Return bands with their bytes as every machine stores them, or as this one reads them."""
    if byteorder == "big":
        bands.byteswap()
    return bands
