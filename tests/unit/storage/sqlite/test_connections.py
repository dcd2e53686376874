from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress

import pytest

from project_memory.errors import NotFound, StorageBusy, StoreUnreadable
from project_memory.storage.sqlite import SqliteStorage
from project_memory.storage.sqlite.connections import connect


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "memory.db"
    with closing(SqliteStorage(path, create=True)) as storage, storage.write() as writer:
        writer.put_project("demo")
    return path


class Counted:
    """Connects, and keeps what it connected."""

    def __init__(self):
        self.made = []

    def __call__(self, path):
        self.made.append(connect(path))
        return self.made[-1]


def is_closed(connection):
    try:
        connection.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return True
    return False


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("synchronous", 2), ("foreign_keys", 1), ("trusted_schema", 0), ("journal_mode", "wal")],
)
def test_a_connection_is_set_up(path, pragma, value):
    with closing(connect(path)) as connection:
        assert connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)
        assert connection.isolation_level is None


def test_a_connection_never_makes_a_file(tmp_path):
    with pytest.raises(sqlite3.OperationalError):
        connect(tmp_path / "absent.db")
    assert list(tmp_path.iterdir()) == []


def test_connections_are_used_again(path):
    counted = Counted()
    with closing(SqliteStorage(path, connect=counted)) as storage:
        for _ in range(20):
            with storage.read():
                pass
            with storage.write():
                pass
    assert len(counted.made) == 2


def test_a_rolled_back_connection_is_used_again(path):
    counted = Counted()
    with closing(SqliteStorage(path, connect=counted)) as storage:
        for _ in range(5):
            with suppress(KeyError), storage.write() as writer:
                writer.put_project("lost")
                raise KeyError
    assert len(counted.made) == 2


def test_closing_the_store_closes_every_connection(path):
    counted = Counted()
    storage = SqliteStorage(path, connect=counted)
    with storage.read(), storage.read(), storage.write():
        pass
    with storage.read():
        storage.close()
    assert len(counted.made) == 3
    assert all(is_closed(connection) for connection in counted.made)


def test_many_threads_share_a_bounded_number_of_connections(path):
    counted = Counted()
    start = threading.Barrier(30)

    def work(number):
        start.wait(60)
        for _ in range(5):
            with storage.read() as reader:
                reader.projects()
            with storage.write() as writer:
                writer.put_project(f"project-{number}")

    with closing(SqliteStorage(path, connect=counted)) as storage, ThreadPoolExecutor(30) as pool:
        for future in [pool.submit(work, number) for number in range(30)]:
            future.result(120)
        with storage.read() as reader:
            assert len(reader.projects()) == 31
    assert len(counted.made) <= 9


def test_one_reader_too_many_is_refused_in_time(path):
    with closing(SqliteStorage(path, busy_timeout=0.05)) as storage:
        with ExitStack() as readers:
            for _ in range(8):
                readers.enter_context(storage.read())
            with storage.write() as writer:
                writer.put_project("written anyway")
            with pytest.raises(StorageBusy), storage.read():
                pass
        with storage.read() as reader:
            assert len(reader.projects()) == 2


def test_a_store_that_was_removed_is_missed(path):
    with closing(SqliteStorage(path)) as storage:
        path.unlink()
        for mode in (storage.read, storage.write):
            with pytest.raises(NotFound) as error, mode():
                pass
            assert str(error.value) == (
                f"no store at '{path}'; check the path, or create it with `project-memory init`"
            )


def test_another_file_in_its_place_is_read_and_written(path, tmp_path):
    other = tmp_path / "other.db"
    with closing(SqliteStorage(other, create=True)) as storage, storage.write() as writer:
        writer.put_project("restored")
    with closing(SqliteStorage(path)) as storage:
        for file in (path, path.with_name("memory.db-wal"), path.with_name("memory.db-shm")):
            file.unlink(missing_ok=True)
        other.rename(path)
        with storage.read() as reader:
            assert [project.name for project in reader.projects()] == ["restored"]
        with storage.write() as writer:
            writer.put_project("added")
    with closing(SqliteStorage(path)) as storage, storage.read() as reader:
        assert [project.name for project in reader.projects()] == ["added", "restored"]


def test_a_file_of_another_program_in_its_place_is_refused(path):
    with closing(SqliteStorage(path)) as storage:
        path.unlink()
        path.write_text("x" * 1024)
        with pytest.raises(StoreUnreadable), storage.read():
            pass


def test_a_log_mode_that_somebody_changed_is_set_again(path):
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    with closing(SqliteStorage(path)), closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


_FORKED = """
import os, sys
from pathlib import Path
from project_memory.errors import StorageError
from project_memory.storage.sqlite import SqliteStorage
storage = SqliteStorage(Path(sys.argv[1]))
child = os.fork()
if not child:
    try:
        with storage.read():
            print("read", flush=True)
    except StorageError as error:
        print(error, flush=True)
    storage.close()
    os._exit(0)
os.waitpid(child, 0)
with storage.read() as reader:
    print(len(reader.projects()))
storage.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_is_told_to_open_the_store_itself(path):
    done = subprocess.run(
        [sys.executable, "-c", _FORKED, path], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        f"store '{path}' was opened before this process was forked; open it in each process",
        "1",
    ]
