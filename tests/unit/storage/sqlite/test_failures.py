"""Read-only places, a full disk, and whatever else the driver reports."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from factories import memory

from project_memory.errors import StorageBusy, StorageError, StoreUnreadable
from project_memory.storage.sqlite import SqliteStorage, failures, findings
from project_memory.storage.sqlite.connections import connect

NOBODY = 65534
READ_ONLY = (
    "store '{path}' or its folder is read-only, and SQLite must write beside the file even to "
    "read it; allow writing to both, or use another store"
)


def opened(path, **options):
    return closing(SqliteStorage(path, **options))


@pytest.fixture
def path():
    """Return the path of a store with one project, in a folder that anyone can reach."""
    folder = Path(tempfile.mkdtemp())
    path = folder / "memory.db"
    with opened(path, create=True) as storage, storage.write() as writer:
        writer.put_project("demo")
    yield path
    folder.chmod(0o700)
    shutil.rmtree(folder)


@pytest.fixture
def unprivileged(path):
    """Give the store to a user whom permissions bind, and be that user."""
    if os.geteuid() != 0:
        yield
        return
    os.chown(path, NOBODY, NOBODY)
    os.chown(path.parent, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    yield
    os.seteuid(0)


def names(path):
    with opened(path) as storage, storage.read() as reader:
        return [project.name for project in reader.projects()]


def add(path, name="added"):
    with opened(path) as storage, storage.write() as writer:
        writer.put_project(name)


def test_a_read_only_file_can_be_read_but_not_written(path, unprivileged):
    path.chmod(0o400)
    assert names(path) == ["demo"]
    with pytest.raises(StorageError) as error:
        add(path)
    assert str(error.value) == READ_ONLY.format(path=path)
    assert names(path) == ["demo"]


def test_a_read_only_folder_is_explained(path, unprivileged):
    path.parent.chmod(0o500)
    for use in (names, add):
        with pytest.raises(StorageError) as error:
            use(path)
        assert str(error.value) == READ_ONLY.format(path=path)
    assert findings.findings(path) == [READ_ONLY.format(path=path)]
    path.parent.chmod(0o700)
    assert names(path) == ["demo"]


def test_an_unreadable_file_is_explained(path, unprivileged):
    path.chmod(0)
    with pytest.raises(StoreUnreadable) as error:
        names(path)
    assert str(error.value) == (
        f"store '{path}' cannot be opened; check that you may read and write the file and its "
        "folder"
    )


def test_a_folder_that_cannot_be_entered_is_explained(path, unprivileged):
    path.parent.chmod(0)
    with pytest.raises(StoreUnreadable) as error:
        SqliteStorage(path)
    path.parent.chmod(0o700)
    assert str(error.value) == (
        f"store '{path}' is out of reach (Permission denied); check the permissions of its folders"
    )


def test_a_store_cannot_be_created_in_a_read_only_folder(path, unprivileged):
    path.parent.chmod(0o500)
    other = path.with_name("other.db")
    with pytest.raises(StorageError) as error:
        SqliteStorage(other, create=True)
    assert str(error.value) == (
        f"store '{other}' cannot be created (Permission denied); check that you may write to its "
        "folder and that there is space left"
    )


def limited(path):
    """Return a connection to a store that can grow by a few pages only."""
    connection = connect(path)
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 8}")
    return connection


def fill(writer):
    project = writer.put_project("filled")
    for key in range(1, 200):
        writer.put_memory(project.key, memory(key, id=f"memory-{key}", tags=["x" * 5000]), "d")


def test_a_full_disk_is_explained_and_nothing_is_half_done(path):
    with opened(path, connect=limited) as storage:
        with pytest.raises(StorageError) as error, storage.write() as writer:
            fill(writer)
        assert str(error.value) == (
            f"no space is left for store '{path}', nothing was changed; free some disk space and "
            "repeat"
        )
        with storage.read() as reader:
            assert [project.name for project in reader.projects()] == ["demo"]
        with storage.write() as writer:
            writer.put_project("small")
    assert names(path) == ["demo", "small"]
    assert findings.findings(path) == []


def test_a_caller_who_swallows_a_full_disk_cannot_commit_a_part(path):
    def swallow():
        with storage.write() as writer:
            with pytest.raises(StorageError):
                fill(writer)
            writer.put_project("afterwards")

    with opened(path, connect=limited) as storage, pytest.raises(StorageError):
        swallow()
    assert names(path) == ["demo"]


_AT_THE_LIMIT = """
import resource, sys
from pathlib import Path
from project_memory.errors import StorageError
from project_memory.storage.sqlite import SqliteStorage
path, operation = Path(sys.argv[1]), sys.argv[2]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    storage = SqliteStorage(path, create=operation == "create")
    with storage.write() as writer:
        for turn in range(400):
            writer.put_project(f"p{turn}", settings={"filler": "x" * 5000})
except StorageError as error:
    print(error)
else:
    print("no error")
storage.close() if "storage" in globals() else None
"""


def at_the_limit(path, operation, size):
    """Return what a process prints that may write files of this size at most."""
    command = [sys.executable, "-W", "error", "-c", _AT_THE_LIMIT, path, operation, str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.strip()


def test_a_failing_disk_is_explained_and_nothing_is_half_done(path):
    assert at_the_limit(path, "open", 300_000) == (
        f"the disk failed under store '{path}' (disk I/O error), nothing was changed; check the "
        "disk, its quota and the file size limit, then repeat"
    )
    assert names(path) == ["demo"]
    assert findings.findings(path) == []
    add(path)
    assert names(path) == ["added", "demo"]


@pytest.mark.parametrize("size", [0, 1, 5000, 40_000])
def test_a_disk_that_fails_during_creation_leaves_no_store(tmp_path, size):
    path = tmp_path / "memory.db"
    assert at_the_limit(path, "create", size) == (
        f"the disk failed under store '{path}' (disk I/O error), nothing was changed; check the "
        "disk, its quota and the file size limit, then repeat"
    )
    assert list(tmp_path.iterdir()) == []


def driver_error(code, text="whatever"):
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        (
            sqlite3.SQLITE_BUSY_SNAPSHOT,
            StorageBusy,
            "store '/m.db' is busy, another writer has held it for too long; repeat the command",
        ),
        (
            sqlite3.SQLITE_PROTOCOL,
            StorageBusy,
            "store '/m.db' is busy, another writer has held it for too long; repeat the command",
        ),
        (
            sqlite3.SQLITE_CORRUPT_INDEX,
            StoreUnreadable,
            "'/m.db' is not a store, or is damaged or truncated; it was left as it is: check the "
            "path, or put a backup in its place",
        ),
        (
            sqlite3.SQLITE_CONSTRAINT_CHECK,
            StorageError,
            "store '/m.db' failed (whatever); run `project-memory doctor`",
        ),
    ],
)
def test_an_extended_code_counts_as_its_kind(code, kind, message):
    error = failures.translated(driver_error(code), Path("/m.db"))
    assert type(error) is kind
    assert str(error) == message


def test_an_error_without_a_code_is_translated_too(path):
    error = failures.translated(sqlite3.ProgrammingError("odd {braces}"), path)
    assert type(error) is StorageError
    assert str(error) == f"store '{path}' failed (odd {{braces}}); run `project-memory doctor`"
