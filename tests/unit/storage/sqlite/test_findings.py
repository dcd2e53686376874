from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from project_memory.storage.sqlite import SqliteStorage, migrations
from project_memory.storage.sqlite.findings import findings, networked

NEXT = len(migrations.packaged()) + 1
MOUNTS = """\
/dev/vda / ext4 rw 0 0
proc /proc proc rw 0 0
server:/export /mnt/team\\040share nfs4 rw 0 0
/dev/vdb /mnt/team\\040share/local ext4 rw 0 0
//server/share /mnt/smb cifs rw 0 0
ada@server: /home/ada/remote fuse.sshfs rw 0 0
C:\\134 /mnt/c 9p rw 0 0
tmpfs /covered nfs rw 0 0
tmpfs /covered tmpfs rw 0 0
broken line
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "memory.db"
    with closing(SqliteStorage(path, create=True)) as storage, storage.write() as writer:
        writer.put_project("demo", ["host/demo"])
    return path


def test_a_sound_store_has_none(path):
    assert findings(path) == []


def test_a_sound_store_in_use_has_none(path):
    with closing(SqliteStorage(path)) as storage, storage.write() as writer:
        writer.put_project("other")
        assert findings(path) == []


def test_modes_that_let_others_in_are_named(path):
    path.chmod(0o644)
    assert findings(path) == [
        f"'{path}' is open to other users (mode 0644); run `chmod 600 '{path}'`"
    ]


def test_the_files_beside_the_store_are_looked_at_too(path):
    path.chmod(0o640)
    with closing(SqliteStorage(path)) as storage, storage.write():
        found = findings(path)
    assert [line.split(" ")[0] for line in found] == [
        f"'{path}'",
        f"'{path}-wal'",
        f"'{path}-shm'",
    ]


def test_rows_without_their_parent_are_counted(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM projects")
        connection.commit()
    assert findings(path) == [
        f"store '{path}' has 1 rows without their parent in 'repository_ids'; put a backup in its "
        "place"
    ]


def test_an_index_that_disagrees_with_its_table_is_found(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        root = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_projects_1'"
        ).fetchone()[0]
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET rootpage = ? WHERE name = 'revisions_by_actor'", (root,)
        )
    (found,) = findings(path)
    assert found.startswith(f"store '{path}' is damaged (")
    assert found.endswith("); put a backup in its place")


def test_a_newer_store_is_a_finding(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {NEXT}")
    assert findings(path) == [
        f"store '{path}' has schema version {NEXT}, this version of project-memory knows up to "
        f"{NEXT - 1}; upgrade project-memory"
    ]


def test_a_foreign_file_is_a_finding(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n" * 512)
    assert findings(path) == [
        f"'{path}' is not a store, or is damaged or truncated; it was left as it is: check the "
        "path, or put a backup in its place"
    ]


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("/mnt/team share/memory.db", "nfs4"),
        ("/mnt/smb/deep/down/memory.db", "cifs"),
        ("/home/ada/remote/memory.db", "fuse.sshfs"),
        ("/mnt/c/memory.db", "9p"),
    ],
)
def test_a_network_file_system_is_named(tmp_path, place, kind):
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    assert networked(tmp_path.__class__(place), mounts) == [
        f"store '{place}' is on a network file system ({kind}), where SQLite's locks cannot be "
        "relied on; keep it on a local disk"
    ]


@pytest.mark.parametrize(
    "place",
    [
        "/home/ada/memory.db",
        "/mnt/team share/local/memory.db",
        "/mnt/smb-not/memory.db",
        "/covered/memory.db",
    ],
)
def test_a_local_file_system_is_fine(tmp_path, place):
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    assert networked(tmp_path.__class__(place), mounts) == []


def test_without_a_table_of_mounts_nothing_is_known(tmp_path):
    assert networked(tmp_path / "memory.db", tmp_path / "absent") == []
