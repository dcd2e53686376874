from __future__ import annotations

import hashlib
import json
import sqlite3
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from factories import document, memory, revision
from old_stores import make_first

from project_memory import documents, duplicates
from project_memory.errors import SchemaVersionMismatch, StorageError
from project_memory.model import (
    Actor,
    Authority,
    Label,
    LabelChange,
    MemoryChange,
    PrefixChange,
    Revision,
    Uses,
)
from project_memory.storage.sqlite import SqliteStorage, migrations
from project_memory.storage.sqlite.migrations import Migration

NOW = "2026-01-31T09:30:00Z"
PACKAGED = migrations.packaged()
NEXT = len(PACKAGED) + 1
STEP = Migration(
    NEXT, "example", "CREATE TABLE notes (text);\nINSERT INTO notes VALUES ('a; b');\n"
)
BROKEN = Migration(NEXT, "broken", "CREATE TABLE notes (text);\nINSERT INTO nowhere VALUES (1);\n")
ORPHANING = Migration(NEXT, "orphaning", "DELETE FROM projects;\n")
PUBLISHED = {
    "0001_first_tables.sql": "884cb5b1af6bc10a2683b188cc8bfb251ac98f447de59768ed60a2fb5f7d2c84",
    "0002_proposals.sql": "500943e1fbbb8c924ecbdac6ccad30ceceb284672f609150f188842e4250ba46",
    "0003_usage_by_tier.sql": "c7d001aaf163290313d47cebfa408c4dd0002403841f3688a80e643822fb89f5",
    "0004_replaced_by.sql": "71394cb7ed142c23e20dbc664e36eb0715144f894d01e481780c486f11988cde",
    "0005_sightings.sql": "e56714aa60511c91ceef726e9a1d6d9cf94d403ad18e3ad7ed19eba3cc11b59a",
    "0006_text_bands.sql": "85d69956efbd8f9fc9adc8b3772c90fd9ea33402ef8abd84288b2f94e029a3f7",
    "0007_tombstones.sql": "9969ab1715714ab713252603b2c679211ed96753db0c8bb838711f38ce507edf",
    "0008_fact_values.sql": "0eb696c558d92091b4f5c9f0ab0104056807b4479154ca5e2502148c44dbb2f6",
    "0009_revision_marks.sql": "5301fa42e968caa1ecb7f198036be9148e42de42355e706fea5fc241efe9a083",
    "0010_expectations.sql": "3e65f159df638f50285bd3237ec32efd82bd97b083c9833013366c21ce88392e",
    "0011_imprints.sql": "029abc50937c93d8b9809efb8f662bde3fd591adfd4e1cfdd6e1278c4edcf2e0",
    "0012_tokens.sql": "da2c3799e68114e7a31b8108699ec6afb4a9038d5016532a08d108c115966c24",
    "0013_unhelped.sql": "86b030f45bac80e5098e8f88606c37328b4724b7b5da6d613911c49c5a2a4331",
    "0014_backups.sql": "1196cfa7881c3c7e5e0f76c99bc0cf1fbf5154e6ffeb4d45c917a581d4022e3b",
    "0015_sessions.sql": "38bbb112a36b020b59baea21e53f9d67fe7b4d3c381c827a18feb8e379136c5a",
    "0016_jobs.sql": "5a8e01bb6aa68418ae98e9a3763a4063e538a2bebcddbff8de9af8dfeebeaeff",
    "0017_synced_folders.sql": "d2686a6599fa19ea19617f1493d02e51ec69d62dc96b04797eac44fca74ec863",
    "0018_archived.sql": "99ab28d341093ecff38c66f3078a9ddb7103ef1f70d7ae6371a995e1c171dc77",
}


def opened(path, **options):
    return closing(SqliteStorage(path, **options))


def make(path, steps=PACKAGED):
    with opened(path, create=True, steps=steps) as storage, storage.write() as writer:
        project = writer.put_project("demo", ["host/demo"])
        writer.put_memory(project.key, memory(1, id="kept-one"), "d")


def contents(path, steps):
    with opened(path, steps=steps) as storage, storage.read() as reader:
        project = reader.project("host/demo")
        return project.name, [found.id for found in reader.memories(project.key)]


def version(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "memory.db"
    make(path)
    return path


def test_published_migrations_are_never_edited():
    folder = migrations._FOLDER
    digests = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir()}
    assert digests == PUBLISHED


@pytest.mark.parametrize("old", range(1, NEXT))
def test_a_store_of_every_earlier_version_is_upgraded(tmp_path, old):
    path = tmp_path / "memory.db"
    make_first(path)
    with opened(path, steps=PACKAGED[:old]):
        pass
    assert version(path) == old
    assert contents(path, (*PACKAGED, STEP)) == ("demo", ["kept-one"])
    assert version(path) == NEXT
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT text FROM notes").fetchall() == [("a; b",)]


def test_counters_from_before_tiers_are_those_of_the_tier_at_hand(tmp_path):
    path = tmp_path / "memory.db"
    make_first(path)
    with opened(path) as storage, storage.read() as reader:
        assert reader.usage(1).tier == {"kept-one": Uses(applied=2, wrong=1)}
        since = datetime.fromisoformat(reader.memory(1, "kept-one").tier_since)
        assert datetime.now(UTC) - since < timedelta(hours=1)


def test_texts_from_before_bands_are_found_by_theirs(tmp_path):
    path = tmp_path / "memory.db"
    make_first(path)
    stored = document(id="old-one")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memories SET document = ?", (json.dumps(stored),))
    with opened(path) as storage, storage.read() as reader:
        wanted, signs = duplicates.imprint(documents.lesson(stored))
        assert reader.near_text(1, wanted[:1], 5) == {"kept-one": signs}


def test_a_text_under_bands_from_before_imprints_leaves_them_all_when_it_changes(tmp_path):
    path = tmp_path / "memory.db"
    make_first(path)
    stored = document(id="old-one")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memories SET document = ?", (json.dumps(stored),))
    with opened(path) as storage:
        with storage.write() as writer:
            writer.put_memory(1, memory(1, id="kept-one"), "d", [])
        with storage.read() as reader:
            wanted, _ = duplicates.imprint(documents.lesson(stored))
            assert reader.near_text(1, wanted, 5) == {}


def test_keyed_facts_from_before_are_found_by_their_keys(tmp_path):
    path = tmp_path / "memory.db"
    make_first(path)
    stored = document(remembered_facts=[{"fact": "80", "key": "The Port"}, "plain"])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memories SET document = ?", (json.dumps(stored),))
    with opened(path) as storage, storage.read() as reader:
        assert reader.other_values(1, "the port", "another") == ["kept-one"]


def test_every_revision_from_before_marks_has_one_of_its_own(tmp_path):
    path = tmp_path / "memory.db"
    make_first(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            """INSERT INTO revisions VALUES (1, 1, 'ada', 'user', 'create', NULL, 'then', NULL);
            INSERT INTO revisions VALUES (1, 2, 'ada', 'user', 'create', NULL, 'then', NULL);"""
        )
    with opened(path) as storage, storage.read() as reader:
        assert len({reader.mark(1, number) for number in (1, 2, 3)} - {None}) == 2


def appended(path, number):
    """Append a revision and return the marks of both first ones."""
    with opened(path) as storage, storage.write() as writer:
        writer.append_revision(1, revision(number))
        return [writer.mark(1, each) for each in (1, 2)]


def test_what_follows_in_a_copy_has_other_marks(path):
    first, _ = appended(path, 1)
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    mine, others = appended(path, 2), appended(copy, 2)
    assert mine[0] == others[0] == first
    assert mine[1] != others[1]


def test_history_from_before_expectations_is_kept(tmp_path):
    path = tmp_path / "memory.db"
    changes = (
        MemoryChange(None, memory(7, id="lake-one")),
        LabelChange(None, Label("area:lake")),
        PrefixChange("area", before=False, after=True),
    )
    made = Revision(1, Actor("ada", Authority.USER), "apply", None, NOW, changes)
    with opened(path, create=True, steps=PACKAGED) as storage, storage.write() as writer:
        writer.append_revision(writer.put_project("demo").key, made)
    with closing(sqlite3.connect(path)) as connection, connection:
        rows = connection.execute("SELECT * FROM history ORDER BY seq").fetchall()
    make_first(older := tmp_path / "older.db")
    with closing(sqlite3.connect(older)) as connection, connection:
        connection.execute(
            "INSERT INTO revisions VALUES (1, 1, 'ada', 'user', 'apply', NULL, ?, NULL)", (NOW,)
        )
        connection.executemany("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        connection.execute("UPDATE projects SET revision = 1")
    with opened(older) as storage, storage.read() as reader:
        assert list(reader.revisions(1)) == [made]
        assert list(reader.revisions(1, memory_id="lake-one")) == [made]
        assert reader.expectations(1) == []


def test_an_upgrade_leaves_a_backup_of_the_old_store(path):
    old_bytes = contents(path, PACKAGED)
    contents(path, (*PACKAGED, STEP))
    backup = path.with_name(f"memory.db.v{NEXT - 1}.backup")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert version(backup) == NEXT - 1
    assert contents(backup, PACKAGED) == old_bytes
    assert {file.name for file in path.parent.iterdir()} == {path.name, backup.name}


def test_a_backup_never_replaces_another_file(path):
    taken = path.with_name(f"memory.db.v{NEXT - 1}.backup")
    taken.write_text("mine")
    contents(path, (*PACKAGED, STEP))
    assert taken.read_text() == "mine"
    assert version(path.with_name(f"memory.db.v{NEXT - 1}.2.backup")) == NEXT - 1


def test_opening_a_store_of_the_present_version_makes_no_backup(path):
    contents(path, PACKAGED)
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"]


def test_a_failed_upgrade_changes_nothing_and_leaves_no_backup(path):
    with pytest.raises(StorageError) as error:
        SqliteStorage(path, steps=(*PACKAGED, BROKEN))
    assert str(error.value) == (
        f"store '{path}' failed (no such table: nowhere); run `project-memory doctor`"
    )
    assert contents(path, PACKAGED) == ("demo", ["kept-one"])
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"]
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE name = 'notes'")
        assert tables.fetchall() == []


def test_an_upgrade_that_orphans_rows_is_refused(path):
    with pytest.raises(StorageError) as error:
        SqliteStorage(path, steps=(*PACKAGED, ORPHANING))
    assert str(error.value) == (
        f"upgrade to schema version {NEXT} leaves 2 rows without their parent, nothing was "
        "changed; report this with the output of `project-memory doctor`"
    )
    assert contents(path, PACKAGED) == ("demo", ["kept-one"])


@pytest.mark.parametrize("create", [False, True])
def test_a_newer_store_is_refused_and_left_alone(path, create):
    contents(path, (*PACKAGED, STEP))
    before = path.read_bytes()
    with pytest.raises(SchemaVersionMismatch) as error:
        SqliteStorage(path, create=create)
    assert str(error.value) == (
        f"store '{path}' has schema version {NEXT}, this version of project-memory knows up to "
        f"{NEXT - 1}; upgrade project-memory"
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_process_notices_that_another_has_upgraded_the_store(path, mode):
    with opened(path) as storage:
        with storage.read(), storage.write():
            pass
        contents(path, (*PACKAGED, STEP))
        with pytest.raises(SchemaVersionMismatch) as error, getattr(storage, mode)():
            pass
        assert str(error.value) == (
            f"store '{path}' was brought to schema version {NEXT} meanwhile, this process works "
            f"with {NEXT - 1}; restart it"
        )


def test_one_of_many_upgrades_and_all_can_use_the_store(path):
    start = threading.Barrier(6)

    def upgrade(_):
        start.wait(60)
        return contents(path, (*PACKAGED, STEP))

    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(upgrade, range(6))) == [("demo", ["kept-one"])] * 6
    backups = [file for file in path.parent.iterdir() if file.name.endswith(".backup")]
    assert len(backups) == 1


def test_foreign_keys_bind_after_an_upgrade(path):
    with opened(path, steps=(*PACKAGED, STEP)) as storage:
        with pytest.raises(StorageError) as error, storage.write() as writer:
            writer.put_memory(99, memory(7, id="homeless-one"), "d")
        assert str(error.value) == (
            f"store '{path}' failed (FOREIGN KEY constraint failed); run `project-memory doctor`"
        )


def test_migrations_are_loaded_by_number(tmp_path):
    (tmp_path / "0002_second.sql").write_text("SELECT 2;")
    (tmp_path / "0001_first_one.sql").write_text("SELECT 1;")
    (tmp_path / "notes.txt").write_text("no migration")
    assert migrations.load(tmp_path) == (
        Migration(1, "first_one", "SELECT 1;"),
        Migration(2, "second", "SELECT 2;"),
    )


def test_a_gap_in_the_numbers_is_a_broken_package(tmp_path):
    (tmp_path / "0002_second.sql").write_text("SELECT 2;")
    with pytest.raises(AssertionError):
        migrations.load(tmp_path)
