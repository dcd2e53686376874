from __future__ import annotations

import errno
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from project_memory.errors import NotFound, StorageError, StoreUnreadable
from project_memory.storage.sqlite import SqliteStorage, drafts, files, migrations


def opened(path, **options):
    return closing(SqliteStorage(path, **options))


@pytest.fixture
def path(tmp_path):
    """Return the path of a sound store with one project, larger than a few pages."""
    path = tmp_path / "memory.db"
    with opened(path, create=True) as storage, storage.write() as writer:
        writer.put_project("demo", settings={"filler": "x" * 50_000})
    return path


def test_files_are_readable_by_their_owner_only(tmp_path):
    old = os.umask(0)
    try:
        path = tmp_path / "memory.db"
        with opened(path, create=True) as storage, storage.write() as writer:
            writer.put_project("demo")
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    finally:
        os.umask(old)
    assert modes == {"memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}


def test_a_folder_that_is_missing_is_made_for_its_owner_only(tmp_path):
    with opened(tmp_path / "new" / "memory.db", create=True):
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_the_file_says_what_it_is(path):
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (0x504D454D,)
        assert connection.execute("PRAGMA user_version").fetchone() == (
            len(migrations.packaged()),
        )
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_closing_leaves_nothing_but_the_file(path):
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"]


@pytest.mark.parametrize("create", [False, True])
def test_an_empty_file_is_refused(tmp_path, create):
    path = tmp_path / "memory.db"
    path.touch()
    with pytest.raises(StoreUnreadable) as error:
        SqliteStorage(path, create=create)
    assert str(error.value) == (
        f"'{path}' is empty, not a store; check the path, or remove the file to create one"
    )
    assert path.read_bytes() == b""


@pytest.mark.parametrize("create", [False, True])
def test_a_file_that_is_no_database_is_refused(tmp_path, create):
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n" * 1000)
    before = path.read_bytes()
    with pytest.raises(StoreUnreadable) as error:
        SqliteStorage(path, create=create)
    assert str(error.value) == (
        f"'{path}' is not a store, or is damaged or truncated; it was left as it is: check the "
        "path, or put a backup in its place"
    )
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("script", ["CREATE TABLE memories (id)", "PRAGMA user_version = 1"])
def test_the_database_of_another_program_is_refused(tmp_path, create, script):
    path = tmp_path / "places.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    before = path.read_bytes()
    with pytest.raises(StoreUnreadable) as error:
        SqliteStorage(path, create=create)
    assert str(error.value) == (
        f"'{path}' is a database of another program, not a store; it was left as it is: check "
        "the path"
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("size", [1, 50, 99, 100, 512, 4095, 4096, 8192, 20_000, -4096, -1])
def test_a_truncated_store_is_refused(path, create, size):
    whole = path.read_bytes()
    path.write_bytes(whole[:size])
    with pytest.raises(StoreUnreadable) as error:
        SqliteStorage(path, create=create)
    assert str(error.value) == (
        f"'{path}' is not a store, or is damaged or truncated; it was left as it is: check the "
        "path, or put a backup in its place"
    )
    assert path.read_bytes() == whole[:size]


def test_a_store_damaged_inside_is_reported_when_it_is_met(path):
    whole = bytearray(path.read_bytes())
    whole[4096:] = b"\xa5" * (len(whole) - 4096)
    path.write_bytes(whole)
    with pytest.raises(StoreUnreadable), opened(path) as storage, storage.read() as reader:
        reader.projects()


def test_a_directory_is_refused(tmp_path):
    for create in (False, True):
        with pytest.raises(StoreUnreadable) as error:
            SqliteStorage(tmp_path, create=create)
        assert str(error.value) == (
            f"'{tmp_path}' is a directory, not a store; name the file in it"
        )


def test_a_device_is_refused(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(StoreUnreadable) as error:
        SqliteStorage(path, create=True)
    assert str(error.value) == f"'{path}' is not a regular file; name the file of a store"


def test_a_path_through_a_file_is_not_found(path):
    with pytest.raises(NotFound):
        SqliteStorage(path / "memory.db")


def test_a_store_cannot_be_created_under_a_file(path):
    inner = path / "memory.db"
    with pytest.raises(StorageError) as error:
        SqliteStorage(inner, create=True)
    assert str(error.value) == (
        f"store '{inner}' cannot be created (File exists); check that you may write to its "
        "folder and that there is space left"
    )


def test_a_name_that_is_too_long_is_out_of_reach(tmp_path):
    path = tmp_path / ("x" * 300)
    with pytest.raises(StoreUnreadable) as error:
        SqliteStorage(path)
    assert str(error.value) == (
        f"store '{path}' is out of reach (File name too long); check the permissions of its "
        "folders"
    )


def test_a_store_is_reached_through_a_symbolic_link(path, tmp_path):
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with opened(link) as storage, storage.read() as reader:
        assert [project.name for project in reader.projects()] == ["demo"]


def test_one_of_many_creators_makes_the_store_and_all_can_use_it(tmp_path):
    path = tmp_path / "memory.db"
    start = threading.Barrier(8)

    def create(number):
        start.wait(60)
        with opened(path, create=True) as storage:
            with storage.write() as writer:
                writer.put_project(f"project-{number}")
            with storage.read() as reader:
                return reader.store_id()

    with ThreadPoolExecutor(8) as threads:
        ids = set(threads.map(create, range(8)))
    assert len(ids) == 1
    with opened(path) as storage, storage.read() as reader:
        assert len(reader.projects()) == 8
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


def test_a_creator_that_comes_second_changes_nothing(path):
    before = path.read_bytes()
    assert files.create(path, migrations.packaged()) is False
    assert path.read_bytes() == before


def test_a_file_system_without_hard_links_will_do(tmp_path, path):
    target = tmp_path / "other.db"
    path.rename(tmp_path / "draft")
    assert files._publish_without_links(tmp_path / "draft", target) is True
    with opened(target) as storage, storage.read() as reader:
        assert [project.name for project in reader.projects()] == ["demo"]
    target.with_name("draft").write_bytes(b"late")
    assert files._publish_without_links(tmp_path / "draft", target) is False
    assert target.stat().st_size > 4


def test_a_failed_creation_leaves_nothing(tmp_path):
    broken = (migrations.Migration(1, "broken", "CREATE TABLE one (a);\nCREATE TABLE one (b);"),)
    path = tmp_path / "memory.db"
    with pytest.raises(StorageError) as error:
        files.create(path, broken)
    assert str(error.value) == (
        f"store '{path}' failed (table one already exists); run `project-memory doctor`"
    )
    assert list(tmp_path.iterdir()) == []


def left_behind(path, *endings):
    """Return drafts of a store as a killed process leaves them."""
    drafts = [path.with_name(f".memory.db.0123456789abcdef.new{ending}") for ending in endings]
    for draft in drafts:
        draft.write_bytes(b"half a store")
    return drafts


@pytest.mark.parametrize("endings", [("",), ("", "-wal", "-shm"), ("-wal",)])
def test_what_a_killed_creation_left_is_removed(tmp_path, endings):
    path = tmp_path / "memory.db"
    left_behind(path, *endings)
    with opened(path, create=True):
        pass
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


def test_it_is_removed_too_where_the_store_was_made_since(path):
    left_behind(path, "", "-wal")
    with opened(path, create=True):
        pass
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"]


def test_drafts_of_others_are_left_alone(tmp_path):
    path = tmp_path / "memory.db"
    names = (".other.db.0123456789abcdef.new", ".memory.db.mine.new", "memory.db.new")
    for name in names:
        (tmp_path / name).write_bytes(b"")
    with opened(path, create=True):
        pass
    assert {file.name for file in tmp_path.iterdir()} == {"memory.db", *names}


def test_a_draft_whose_maker_lives_is_left_alone(tmp_path):
    path = tmp_path / "memory.db"
    with drafts.draft(path) as draft:
        with opened(path, create=True):
            pass
        assert draft.exists()
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


def test_a_creation_that_is_killed_leaves_nothing_for_long(tmp_path):
    path = tmp_path / "memory.db"
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from project_memory.storage.sqlite import SqliteStorage, files\n"
        "files.publish = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "SqliteStorage(Path(sys.argv[1]), create=True)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert [file.name.endswith(".new") for file in tmp_path.iterdir()] == [True]
    with opened(path, create=True):
        pass
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


def test_a_draft_that_is_swept_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    path = tmp_path / "memory.db"
    lock, swept = drafts._lock, []

    def late(handle):
        if not swept:
            swept.extend(tmp_path.iterdir())
            swept[0].unlink()
        return lock(handle)

    monkeypatch.setattr(drafts, "_lock", late)
    with drafts.draft(path) as draft:
        assert draft.exists()
        assert draft != swept[0]


def test_without_locks_a_store_is_made_and_nothing_is_swept(tmp_path, monkeypatch):
    path = tmp_path / "memory.db"
    (old,) = left_behind(path, "")

    def none(_):
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(drafts, "_lock", none)
    with opened(path, create=True):
        pass
    assert {file.name for file in tmp_path.iterdir()} == {"memory.db", old.name}
