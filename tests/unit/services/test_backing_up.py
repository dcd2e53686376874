"""Backups in a folder: named, rotated, noted; and nothing half-written is ever one."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from factories import draft

from project_memory.app import ProjectMemory, backup_store
from project_memory.errors import InvalidInput, StorageError, StoreUnreadable
from project_memory.model import Actor, Authority
from project_memory.services.backing_up import back_up
from project_memory.storage import open_storage
from project_memory.storage.sqlite import copies, pages

ADA = Actor("ada", Authority.USER)
START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


@pytest.fixture
def url(tmp_path):
    path = str(tmp_path / "memory.db")
    with ProjectMemory.open(path, project="shop", actor=ADA, create=True) as memories:
        memories.create(draft(id="first"))
    return path


def made(url, place, keep=None, day=0):
    return backup_store(url, place, keep=keep, clock=lambda: START + timedelta(days=day))


def test_the_newest_are_kept_and_files_of_others_left_alone(url, tmp_path):
    folder = tmp_path / "backups"
    first = made(url, folder)
    (folder / "project-memory-0123456789ab-20260101T000000Z-1.db").write_text("of another store")
    (folder / "notes.txt").write_text("mine")
    second, again = made(url, folder, day=1), made(url, folder, day=1)
    third = made(url, folder, keep=2, day=2)
    assert third.removed == tuple(sorted([first.file, second.file]))
    assert sorted(file.name for file in folder.iterdir()) == sorted(
        [
            "notes.txt",
            "project-memory-0123456789ab-20260101T000000Z-1.db",
            *(os.path.basename(each.file) for each in (again, third)),  # noqa: PTH119
        ]
    )
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        assert [each.file for each in reader.backups()] == [again.file, third.file]


def test_a_clock_that_was_turned_back_does_not_cost_the_backup_just_made(url, tmp_path):
    old = made(url, tmp_path / "backups", day=9)
    new = made(url, tmp_path / "backups", keep=1, day=0)
    assert new.removed == (old.file,)
    assert [str(file) for file in (tmp_path / "backups").iterdir()] == [new.file]


def test_a_report_says_what_was_written_where(url, tmp_path):
    report = made(url, tmp_path / "one.db")
    assert report.file == str(tmp_path / "one.db")
    assert (report.time, report.store) == ("2026-01-31T09:30:00Z", f"sqlite://{url}")
    assert report.bytes == (tmp_path / "one.db").stat().st_size
    assert (report.rows["projects"], report.rows["memories"]) == (1, 1)


def test_a_number_to_keep_is_for_folders(url, tmp_path):
    with pytest.raises(InvalidInput) as error:
        made(url, tmp_path / "one.db", keep=1)
    assert str(error.value) == (
        f"--keep is for a folder, and '{tmp_path}/one.db' is a file; name its folder"
    )


def test_a_folder_that_cannot_be_made_is_named(url, tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StorageError) as error:
        made(url, tmp_path / "file" / "one.db")
    assert str(error.value) == (
        f"backup '{tmp_path}/file/one.db' cannot be written (file exists); check that you may "
        "write to its folder and that there is space left"
    )


def test_a_full_disk_leaves_no_backup(url, tmp_path, monkeypatch):
    def full(_source, target):
        target.write_bytes(b"half of it")
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(pages, "copied", full)
    with pytest.raises(StorageError) as error:
        made(url, tmp_path / "backups" / "one.db")
    assert str(error.value) == (
        f"backup '{tmp_path}/backups/one.db' cannot be written (database or disk is full); check "
        "that you may write to its folder and that there is space left"
    )
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_damaged_store_is_not_backed_up_over_what_is_sound(url, tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "copied", lambda *_: "row 3 missing from index")
    with pytest.raises(StoreUnreadable) as error:
        made(url, tmp_path / "backups", keep=1)
    assert str(error.value) == (
        f"store '{url}' is damaged (row 3 missing from index), so that no backup was made of it; "
        "put an earlier one in its place with `project-memory restore`"
    )
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_copy_that_lacks_rows_is_not_kept(url, tmp_path, monkeypatch):
    def lacking(source, target):
        found = whole(source, target)
        with closing(sqlite3.connect(target)) as copy, copy:
            copy.execute("DELETE FROM fact_values")
            copy.execute("DELETE FROM labels")
        return found

    whole = pages.copied
    monkeypatch.setattr(pages, "copied", lacking)
    with pytest.raises(StorageError) as error:
        made(url, tmp_path / "one.db")
    assert str(error.value) == (
        f"backup '{tmp_path}/one.db' does not hold what the store does of 'labels', and was not "
        "kept; report this"
    )
    assert not (tmp_path / "one.db").exists()


def test_what_a_killed_process_left_is_no_backup_and_goes(url, tmp_path):
    left = tmp_path / "backups" / ".backup.0123456789abcdef.new"
    left.parent.mkdir()
    left.write_text("half of one")
    report = made(url, left.parent, keep=1)
    assert [str(file) for file in left.parent.iterdir()] == [report.file]


def test_a_backup_that_is_killed_at_its_last_step_is_none(url, tmp_path):
    script = (
        "import os, signal, sys\n"
        "from project_memory.app import backup_store\n"
        "from project_memory.storage.sqlite import files\n"
        "files.publish = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "backup_store(sys.argv[1], sys.argv[2])"
    )
    folder = tmp_path / "backups"
    line = [sys.executable, "-c", script, url, str(folder)]
    assert subprocess.run(line, check=False).returncode == -signal.SIGKILL
    (left,) = folder.iterdir()
    assert left.name.startswith(".backup.")
    report = made(url, folder, keep=1)
    assert [str(file) for file in folder.iterdir()] == [report.file]


def test_what_another_process_is_writing_stays(url, tmp_path):
    with copies.arriving(tmp_path / "backups" / "slow.db") as writing:
        writing.write_text("half of one")
        made(url, tmp_path / "backups")
        assert writing.exists()


def test_an_older_one_that_cannot_be_removed_is_named(url, tmp_path, monkeypatch):
    old = made(url, tmp_path / "backups")

    def refuse(self, missing_ok=False):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched, closing(open_storage(url, create=False)) as storage:
        patched.setattr("project_memory.services.backing_up.Path.unlink", refuse)
        patched.setattr("project_memory.storage.sqlite.drafts._remove", lambda _: None)
        with pytest.raises(StorageError) as error:
            back_up(storage, tmp_path / "backups", keep=1, host="here", clock=lambda: START)
    assert str(error.value).endswith(
        f"was made, but the older '{old.file}' cannot be removed (Permission denied); remove it, "
        "and allow writing to its folder"
    )


def test_a_purge_names_the_backups_that_were_noted_and_are_there(url, tmp_path):
    gone, there = made(url, tmp_path / "gone.db"), made(url, tmp_path / "there.db", day=1)
    os.unlink(gone.file)  # noqa: PTH108
    with closing(open_storage(url, create=False)) as storage:
        back_up(storage, tmp_path / "far.db", keep=None, host="elsewhere", clock=lambda: START)
    with ProjectMemory.open(url, project="shop", actor=ADA) as memories:
        said = memories.purge("first").remains
    assert said == (
        f"backup '{tmp_path}/far.db' on 'elsewhere' was made before and may hold it; delete it, "
        "or put it under lock",
        f"backup '{there.file}' was made before and may hold it; delete it, or put it under lock",
    )
