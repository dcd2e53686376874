"""Arrays in a file: whole or not at all, and never believed when they are damaged."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from project_memory.index import arrayfile

ARRAYS = {
    "rows": np.arange(1000, dtype=np.int32),
    "flags": np.array([True, False, True]),
    "table": np.arange(24, dtype=np.uint8).reshape(6, 4),
    "nothing": np.zeros(0, np.uint64),
    "no columns": np.zeros((0, 3), np.int64),
    "places": np.array([2**63 - 1], np.int64),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "cache" / "some.index"
    arrayfile.write(path, {"origin": "here"}, ARRAYS)
    return path


def test_what_was_written_is_read(path: Path) -> None:
    told, found = arrayfile.read(path)
    assert told == {"origin": "here"}
    assert found.keys() == ARRAYS.keys()
    for name, each in ARRAYS.items():
        assert found[name].dtype == each.dtype
        assert np.array_equal(found[name], each)


def test_what_is_read_cannot_be_changed(path: Path) -> None:
    with pytest.raises(ValueError, match="read-only"):
        arrayfile.read(path)[1]["rows"][0] = 1


def test_only_the_owner_reads_it(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_view_with_gaps_is_written_as_it_looks(tmp_path: Path) -> None:
    arrayfile.write(tmp_path / "x", {}, {"every other": np.arange(10)[::2]})
    assert arrayfile.read(tmp_path / "x")[1]["every other"].tolist() == [0, 2, 4, 6, 8]


def test_no_byte_can_change_unseen(path: Path) -> None:
    whole = path.read_bytes()
    padding = 0
    for place in range(0, len(whole), 7):
        changed = bytearray(whole)
        changed[place] ^= 0x40
        path.write_bytes(changed)
        try:
            _, found = arrayfile.read(path)
        except arrayfile.Damaged:
            continue
        padding += 1  # the bytes between arrays hold nothing
        assert all(np.array_equal(found[name], each) for name, each in ARRAYS.items())
    assert padding < 64


@pytest.mark.parametrize("size", [0, 1, 20, 100, 2000, 4000])
def test_a_cut_file_is_damaged(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(arrayfile.Damaged):
        arrayfile.read(path)


def test_another_file_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"SQLite format 3\0" * 100)
    with pytest.raises(arrayfile.Damaged, match="its head is not what was written"):
        arrayfile.read(tmp_path / "x")


def test_writers_leave_one_whole_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x"

    def write(number: int) -> None:
        for _ in range(20):
            arrayfile.write(path, {"by": number}, {"all": np.full(5000, number)})

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told, arrays = arrayfile.read(path)
    assert set(arrays["all"].tolist()) == {told["by"]}
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


def test_a_write_that_fails_leaves_the_old_file(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(TypeError):
        arrayfile.write(path, {"origin": object()}, ARRAYS)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]
