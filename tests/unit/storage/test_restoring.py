"""A backup comes back: into a file or a database, wholly or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from factories import memory

from project_memory.backups import Backup
from project_memory.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    SchemaVersionMismatch,
    StorageBusy,
    StorageError,
    StoreUnreadable,
)
from project_memory.roles import Role, Speaker
from project_memory.storage import open_storage, restore_storage
from project_memory.storage.sqlite import SqliteStorage
from project_memory.storage.sqlite.migrations import packaged
from project_memory.tokens import Enrollment, Session, Token

NOW, LATER = "2026-01-31T09:30:00Z", "2027-01-31T09:30:00Z"
ADA = Speaker("ada", Role.WRITER)


@pytest.fixture(params=["file", "server"])
def url(request, tmp_path, monkeypatch):
    """Return where a store can be."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if request.param == "server":
        return request.getfixturevalue("postgres")()
    return f"sqlite://{tmp_path}/memory.db"


def fill(url, *names):
    with closing(open_storage(url, create=True)) as storage, storage.write() as writer:
        project = writer.put_project("shop", ["host/shop"])
        for name in names:
            writer.put_memory(project.key, memory(writer.next_key(), id=name), f"d-{name}")


def ids(url):
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        return [one.id for p in reader.projects() for one in reader.memories(p.key)]


def backed_up(url, file):
    with closing(open_storage(url, create=False)) as storage:
        storage.copy_to(file)
    return file


def restored(url, file, allow=lambda _: None):
    return restore_storage(
        url, file, time=NOW, host="here", allow=allow, tell=lambda _done, _of: None
    )


def refuse(place):
    raise Conflict(f"there is {place}")


def test_a_store_is_what_it_was_and_what_it_became_is_kept(url, tmp_path):
    fill(url, "one-kept", "two-kept")
    file = backed_up(url, tmp_path / "backup.db")
    fill(url, "three-new")
    done = restored(url, file)
    assert ids(url) == ["one-kept", "two-kept"]
    assert ids(done.kept) == ["one-kept", "three-new", "two-kept"]
    assert done.kept.endswith(".before-restore-20260131T093000Z.backup")
    assert (done.file, done.store, done.rows["memories"]) == (str(file), url, 2)
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        assert reader.backups() == [Backup(NOW, "here", done.kept)]


def test_keys_that_follow_are_those_that_would_have_followed(url, tmp_path):
    fill(url, "one-kept")
    file = backed_up(url, tmp_path / "backup.db")
    restored(url, file)
    with closing(open_storage(url, create=False)) as storage, storage.write() as writer:
        assert (writer.next_key(), writer.put_project("next").key) == (2, 2)


def test_a_store_that_is_gone_comes_back_without_being_asked(url, tmp_path):
    other = f"sqlite://{tmp_path}/other.db"
    fill(other, "one-kept")
    done = restored(url, backed_up(other, tmp_path / "backup.db"), refuse)
    assert (ids(url), done.kept, done.revoked, done.purged) == (["one-kept"], None, (), 0)


def test_a_store_that_is_there_is_replaced_only_where_that_is_allowed(url, tmp_path):
    fill(url, "one-kept")
    file = backed_up(url, tmp_path / "backup.db")
    fill(url, "two-new")
    with pytest.raises(Conflict) as error:
        restored(url, file, refuse)
    assert str(error.value) == f"there is {url}"
    assert ids(url) == ["one-kept", "two-new"]


def test_what_was_revoked_redeemed_or_purged_since_does_not_come_back_unseen(url, tmp_path):
    fill(url, "one-kept")
    code = Enrollment("d" * 64, ADA, 30, LATER)
    with closing(open_storage(url, create=False)) as storage:
        with storage.write() as writer:
            for name in ("11111111", "22222222"):
                writer.put_token(Token(name, "c" * 64, ADA, NOW, LATER))
            writer.put_enrollment(code)
            writer.put_session(Session("e" * 64, "22222222", None, NOW, LATER))
        storage.copy_to(tmp_path / "backup.db")
        with storage.write() as writer:
            writer.put_token(Token("11111111", "c" * 64, ADA, NOW, LATER, revoked_at=NOW))
            writer.put_tombstone(1, "digest")
            writer.put_backup(Backup(NOW, "there", "/b/1.db"))
    done = restored(url, tmp_path / "backup.db")
    assert (done.revoked, done.purged) == (("11111111",), 1)
    with closing(open_storage(url, create=False)) as storage, storage.write() as writer:
        assert [token.revoked_at for token in writer.tokens()] == [NOW, None]
        assert writer.redeem(code.digest, NOW) is None
        assert writer.session_of("e" * 64) is None
        assert Backup(NOW, "there", "/b/1.db") in writer.backups()


def test_nothing_is_replaced_while_another_writes(tmp_path):
    path = tmp_path / "memory.db"
    fill(str(path), "one-kept")
    file = backed_up(str(path), tmp_path / "backup.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageBusy) as error:
            restore_storage(
                str(path), file, time=NOW, host="here", allow=lambda _: None,
                tell=lambda _done, _of: None, busy_timeout=0.1,
            )  # fmt: skip
        assert str(error.value) == (
            f"store '{path}' is busy, another writer has held it for too long; repeat the command"
        )
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backup.db", "memory.db"]


def test_a_failure_on_the_way_changes_nothing(tmp_path):
    path = tmp_path / "memory.db"
    fill(str(path), "one-kept")
    file = backed_up(str(path), tmp_path / "backup.db")
    fill(str(path), "two-new")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TRIGGER fault AFTER INSERT ON memories "
            "BEGIN UPDATE memories SET author = 'another'; END"
        )
    with pytest.raises(StorageError) as error:
        restored(str(path), file)
    assert str(error.value) == (
        f"what store 'sqlite://{path}' holds of 'memories' is not what was written to it; nothing "
        "was kept there: report this"
    )
    assert ids(str(path)) == ["one-kept", "two-new"]


def test_a_damaged_store_is_put_aside(tmp_path):
    path = tmp_path / "memory.db"
    fill(str(path), "one-kept")
    file = backed_up(str(path), tmp_path / "backup.db")
    path.write_bytes(b"no store at all " * 64)
    with pytest.raises(Conflict) as error:
        restored(str(path), file, refuse)
    assert str(error.value) == f"there is {path}"
    done = restored(str(path), file)
    assert ids(str(path)) == ["one-kept"]
    assert done.kept == f"{path}.damaged-20260131T093000Z"
    assert (tmp_path / "memory.db.damaged-20260131T093000Z").read_bytes()[:8] == b"no store"


def damaged(tmp_path):
    fill(str(tmp_path / "other.db"), *(f"memory-{number}" for number in range(60)))
    file = backed_up(str(tmp_path / "other.db"), tmp_path / "damaged.db")
    content = bytearray(file.read_bytes())
    for page in range(3, len(content) // 4096 - 1):
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    file.write_bytes(content)
    return file


def of_another_program(tmp_path):
    file = tmp_path / "other-program.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE notes (text)")
    return file


def text(tmp_path):
    file = tmp_path / "text.db"
    file.write_text("a text" * 512)
    return file


def half(tmp_path):
    fill(str(tmp_path / "other.db"), "one-kept")
    file = backed_up(str(tmp_path / "other.db"), tmp_path / "half.db")
    file.write_bytes(file.read_bytes()[: 40 * 1024 + 7])
    return file


NO_STORE = (
    "'{}' is not a store, or is damaged or truncated; it was left as it is: check the path, or "
    "put a backup in its place"
)


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda folder: folder / "nowhere.db", NotFound,
         "no file '{}'; name a backup that `project-memory backup` wrote"),
        (text, StoreUnreadable, NO_STORE),
        (half, StoreUnreadable, NO_STORE),
        (lambda folder: folder, StoreUnreadable,
         "'{}' is a directory, not a store; name the file in it"),
        (of_another_program, StoreUnreadable,
         "'{}' is a database of another program, not a store; it was left as it is: check the "
         "path"),
    ],
)  # fmt: skip
def test_what_is_no_whole_backup_is_not_restored(tmp_path, make, kind, message):
    path = tmp_path / "memory.db"
    fill(str(path), "one-kept")
    file = make(tmp_path)
    with pytest.raises(kind) as error:
        restored(str(path), file)
    assert str(error.value) == message.format(file)
    assert ids(str(path)) == ["one-kept"]


def test_a_damaged_backup_says_where(tmp_path):
    file = damaged(tmp_path)
    with pytest.raises(StoreUnreadable) as error:
        restored(str(tmp_path / "memory.db"), file)
    start, end = f"'{file}' is damaged (", "), nothing was restored; take another backup"
    assert str(error.value) == NO_STORE.format(file) or (
        str(error.value).startswith(start) and str(error.value).endswith(end)
    )
    assert not (tmp_path / "memory.db").exists()


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(tmp_path):
    SqliteStorage(tmp_path / "old.db", create=True, steps=packaged()[:13]).close()
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection, connection:
        connection.execute("INSERT INTO projects (key, name) VALUES (1, 'shop')")
    restored(str(tmp_path / "memory.db"), tmp_path / "old.db")
    path = str(tmp_path / "memory.db")
    with closing(open_storage(path, create=False)) as storage, storage.read() as reader:
        assert [project.name for project in reader.projects()] == ["shop"]
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (13,)


def test_a_backup_of_a_newer_version_is_refused(tmp_path):
    file = backed_up_new(tmp_path)
    with pytest.raises(SchemaVersionMismatch) as error:
        restored(str(tmp_path / "memory.db"), file)
    assert str(error.value) == (
        f"store '{file}' has schema version 99, this version of project-memory knows up to "
        f"{len(packaged())}; upgrade project-memory"
    )


def backed_up_new(tmp_path):
    fill(str(tmp_path / "other.db"), "one-kept")
    file = backed_up(str(tmp_path / "other.db"), tmp_path / "backup.db")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
    return file


def test_a_store_is_not_restored_from_itself(tmp_path):
    path = tmp_path / "memory.db"
    with pytest.raises(InvalidInput) as error:
        restored(str(path), path)
    assert str(error.value) == f"'{path}' is the store itself; name a backup of it"


def test_nothing_is_restored_to_a_store_in_memory(tmp_path):
    with pytest.raises(InvalidInput) as error:
        restored("inmemory://", tmp_path / "backup.db")
    assert str(error.value) == (
        "store 'inmemory://' is gone with this process; name one in a file or a database"
    )
