"""Nothing of a text stays where texts like it look, once it is changed or gone."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from factories import memory

from project_memory.storage.relational.bands import packed, unpacked
from project_memory.storage.sqlite import SqliteStorage

LARGEST = (1 << 63) - 1


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "memory.db"
    with closing(SqliteStorage(path, create=True)) as storage, storage.write() as writer:
        assert writer.put_project("demo").key == 1
        writer.put_memory(1, memory(1, id="one-memory"), "d", [1, LARGEST], b"ab")
        writer.put_memory(1, memory(2, id="two-memory"), "d", [1], b"c")
    return path


def kept(path):
    """Return the rows under bands, and the signs by memory."""
    with closing(sqlite3.connect(path)) as connection:
        under = connection.execute("SELECT band, memory_key FROM text_bands ORDER BY band, 2")
        signs = connection.execute("SELECT memory_key, signs FROM imprints ORDER BY 1")
        return under.fetchall(), dict(signs.fetchall())


def test_a_memory_is_under_each_of_its_bands(path):
    assert kept(path) == ([(1, 1), (1, 2), (LARGEST, 1)], {1: b"ab", 2: b"c"})


def test_a_changed_text_leaves_all_of_its_bands(path):
    with closing(SqliteStorage(path)) as storage, storage.write() as writer:
        writer.put_memory(1, memory(1, id="one-memory"), "d", [5], b"x")
    assert kept(path) == ([(1, 2), (5, 1)], {1: b"x", 2: b"c"})


def test_a_text_without_bands_keeps_nothing(path):
    with closing(SqliteStorage(path)) as storage, storage.write() as writer:
        writer.put_memory(1, memory(1, id="one-memory"), "d", [], b"")
    assert kept(path) == ([(1, 2)], {2: b"c"})


def test_a_removed_memory_leaves_nothing(path):
    with closing(SqliteStorage(path)) as storage, storage.write() as writer:
        writer.remove_memory(1, 1)
        writer.remove_memory(1, 9)
    assert kept(path) == ([(1, 2)], {2: b"c"})


def test_bands_are_packed_in_eight_bytes_each_the_lowest_first():
    assert packed([258, LARGEST]) == b"\x02\x01" + bytes(6) + b"\xff" * 7 + b"\x7f"
    assert unpacked(packed([258, LARGEST, 0])) == [258, LARGEST, 0]
