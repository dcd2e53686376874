"""A store copies itself into a file, and knows where its copies are."""

from __future__ import annotations

import stat
from contextlib import closing

import pytest
from factories import memory

from project_memory.backups import Backup
from project_memory.errors import Conflict, InvalidInput
from project_memory.storage import open_storage

ON_DISK = pytest.mark.parametrize("empty", ["postgres", "sqlite"], indirect=True)
EARLY, LATE = "2026-01-31T09:30:00Z", "2026-02-01T09:30:00Z"


def test_what_is_kept_of_backups_is_listed_by_time(storage):
    one, two, three = (
        Backup(LATE, "a", "/b/1.db"), Backup(EARLY, "b", "/b/1.db"), Backup(EARLY, "a", "/b/2.db"),
    )  # fmt: skip
    with storage.write() as writer:
        for each in (one, two, three):
            writer.put_backup(each)
    with storage.read() as reader:
        assert reader.backups() == [three, two, one]


def test_a_backup_is_known_by_host_and_file(storage):
    with storage.write() as writer:
        writer.put_backup(Backup(EARLY, "a", "/b/1.db"))
        writer.put_backup(Backup(LATE, "a", "/b/1.db"))
        writer.put_backup(Backup(LATE, "b", "/b/1.db"))
        writer.remove_backup("b", "/b/1.db")
        writer.remove_backup("b", "/b/9.db")
    with storage.read() as reader:
        assert reader.backups() == [Backup(LATE, "a", "/b/1.db")]


def test_what_is_only_in_memory_has_no_copy(tmp_path):
    with (
        closing(open_storage("inmemory://", create=True)) as storage,
        pytest.raises(InvalidInput) as error,
    ):
        storage.copy_to(tmp_path / "copy.db")
    assert str(error.value) == (
        "store 'inmemory://' is gone with this process; name one in a file or a database"
    )


@ON_DISK
def test_a_copy_is_the_store_as_it_was(storage, project, tmp_path):
    path = tmp_path / "new folder" / "copy.db"
    with storage.write() as writer:
        writer.put_memory(project.key, memory(7, id="first-one"), "d", [1, 2], b"s")
    counts = storage.copy_to(path)
    assert {name: count for name, count in counts.items() if count} == {
        "projects": 1, "memories": 1, "imprints": 1, "text_bands": 2,
    }  # fmt: skip
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["copy.db"]
    with closing(open_storage(str(path), create=False)) as copy, copy.read() as reader:
        assert [found.id for found in reader.memories(project.key)] == ["first-one"]
        with storage.read() as original:
            assert reader.store_id() == original.store_id()


@ON_DISK
def test_a_copy_is_made_while_others_write_and_holds_none_of_it(storage, project, tmp_path):
    with storage.write() as writer:
        writer.put_memory(project.key, memory(7, id="not-yet"), "d")
        storage.copy_to(tmp_path / "copy.db")
    path = str(tmp_path / "copy.db")
    with closing(open_storage(path, create=False)) as copy, copy.read() as reader:
        assert list(reader.memories(project.key)) == []


@ON_DISK
def test_a_copy_takes_no_name_that_is_taken(storage, tmp_path):
    path = tmp_path / "taken.db"
    path.write_text("mine")
    with pytest.raises(Conflict) as error:
        storage.copy_to(path)
    assert str(error.value) == f"'{path}' exists already; name a file that does not"
    assert path.read_text() == "mine"
    assert [f.name for f in tmp_path.iterdir() if f.name.startswith(".")] == []
