from __future__ import annotations

import hashlib
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from factories import memory, revision

from project_memory.errors import SchemaVersionMismatch, StorageBusy, StorageError
from project_memory.model import Label, MemoryChange
from project_memory.storage.postgres import PostgresStorage, migrations
from project_memory.storage.relational.steps import Migration
from project_memory.storage.server import Server

PACKAGED = migrations.packaged()
NEXT = len(PACKAGED) + 1
STEP = Migration(
    NEXT, "example", "CREATE TABLE notes (words TEXT);\nINSERT INTO notes VALUES ('a; b');"
)
BROKEN = Migration(
    NEXT, "broken", "CREATE TABLE notes (words TEXT);\nINSERT INTO nowhere VALUES (1);"
)
PUBLISHED = {
    "0001_first_tables.sql": "5daf88e48a1cb61a2f2bd6a4df2f65f3a349b4e712464eb1d170d27c246b3b31",
    "0002_tokens.sql": "8ff84a23473afdb9cae36231280b7f2f4c729b3e4e9f94e0d3c8cb49a471d75b",
    "0003_unhelped.sql": "9a194f54578c06de888c11cc5a5204b50ec819bfaa6c41430cef521980ac887a",
    "0004_backups.sql": "db17fb8806abb137e0773b50a3da33d13eb2fc6c73eb61a8cbc2d74165c6b3e3",
    "0005_sessions.sql": "a4c77f8b4cafd391d378e28af5a202b3c96205c2e784ed356511439e28a7b653",
    "0006_jobs.sql": "8f35114fa9bbd5d4c062946a9c20eaab7a7f921d17fbd88c267da004826f8705",
    "0007_synced_folders.sql": "91bf71a6f28ab24b9d974f6b3ce638c465b984ab891c79d145e8b59f34b58786",
    "0008_archived.sql": "afc8f44f0dbd2a4343f11b148fef788ed4b54261ec10c9f0b221199c7ae68c6c",
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Keep backups of this test apart."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "project-memory" / "backups"


def at(url, **options):
    return closing(PostgresStorage(Server(url), **options))


@pytest.fixture
def url(postgres):
    """Return the URL of a store with odd contents."""
    url = postgres()
    with at(url, create=True) as storage, storage.write() as writer:
        project = writer.put_project("demo", ["host/demo"])
        one = memory(writer.next_key(), id="kept-one", tags=["tab\t back\\slash \\. \0 \u2028"])
        writer.put_memory(project.key, one, "d", [1, -2], b"\0\1\xff")
        writer.put_label(project.key, Label("kind:bug", "nul \0 tab \t line \n \\N end"))
        writer.append_revision(project.key, revision(1, MemoryChange(None, one), reason="\1\0"))
    return url


def contents(url):
    with at(url) as storage, storage.write() as writer:
        rows = {table.name: list(table.pages(writer.session)) for table in writer.TABLES}
        return rows, writer.store_id(), writer.next_key(), writer.put_project("another").key


def version(server):
    return server.run("SELECT value FROM project_memory.store WHERE name = 'schema'")[0][0]


def test_published_migrations_are_never_edited():
    files = migrations._FOLDER.iterdir()
    assert {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in files} == PUBLISHED


def test_an_upgrade_leaves_a_backup_that_psql_puts_in_place(url, postgres_server, home, caplog):
    with at(url, steps=(*PACKAGED, STEP)) as storage, storage.read() as reader:
        assert [found.name for found in reader.projects()] == ["demo"]
        store_id = reader.store_id()
    assert postgres_server.run("SELECT words FROM project_memory.notes") == [("a; b",)]
    assert version(postgres_server) == str(NEXT)
    backup = home / f"{store_id}.v{NEXT - 1}.sql"
    assert list(home.iterdir()) == [backup]
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert caplog.messages == [
        f"store '{url}' is upgraded from schema version {NEXT - 1} to {NEXT}; the backup "
        f"'{backup}' holds what it was"
    ]
    postgres_server.run("DROP DATABASE IF EXISTS restored", "CREATE DATABASE restored")
    postgres_server.load(backup.read_text(), "restored")
    restored = contents(postgres_server.url("restored"))
    postgres_server.run("DROP TABLE project_memory.notes")
    postgres_server.run(
        f"UPDATE project_memory.store SET value = {NEXT - 1} WHERE name = 'schema'"
    )
    assert restored == contents(url)
    assert restored[2:] == (2, 2)


def test_a_second_backup_of_a_version_has_another_name(url, postgres_server, home):
    for _ in range(2):
        with at(url, steps=(*PACKAGED, STEP)):
            pass
        postgres_server.run("DROP TABLE project_memory.notes")
        old = f"UPDATE project_memory.store SET value = {NEXT - 1} WHERE name = 'schema'"
        postgres_server.run(old)
    named = [path.name[32:] for path in sorted(home.iterdir())]
    assert named == [f".v{NEXT - 1}.2.sql", f".v{NEXT - 1}.sql"]


@pytest.mark.parametrize("old", range(1, NEXT))
def test_a_store_of_every_earlier_version_is_upgraded(postgres, postgres_server, old):
    url = postgres()
    with at(url, create=True, steps=PACKAGED[:old]):
        pass
    # as that version wrote it: statements of today know columns that came later
    postgres_server.run(
        "INSERT INTO project_memory.projects (name) VALUES ('demo')",
        "INSERT INTO project_memory.repository_ids VALUES ('host/demo', 1)",
    )
    assert version(postgres_server) == str(old)
    rows, *_ = contents(url)
    assert version(postgres_server) == str(NEXT - 1)
    assert [row[1] for page in rows["projects"] for row in page] == ["demo"]
    assert rows["unhelped_questions"] == []


def test_an_upgrade_that_fails_changes_nothing(url, postgres_server, home):
    with pytest.raises(StorageError) as error:
        PostgresStorage(Server(url), steps=(*PACKAGED, BROKEN))
    assert str(error.value) == (
        f"the tables of store '{url}' are gone; put a backup in their place"
    )
    assert version(postgres_server) == str(NEXT - 1)
    assert contents(url)[1]


def test_a_backup_that_cannot_be_written_stops_the_upgrade(url, postgres_server, home):
    home.parent.mkdir(parents=True)
    home.write_text("in the way")
    with pytest.raises(StorageError) as error:
        PostgresStorage(Server(url), steps=(*PACKAGED, STEP))
    assert str(error.value) == (
        f"store '{url}' cannot be upgraded, its backup cannot be written to '{home}' (File "
        "exists); allow writing there"
    )
    assert version(postgres_server) == str(NEXT - 1)


def test_a_newer_store_is_refused(url, postgres_server):
    postgres_server.run("UPDATE project_memory.store SET value = 99 WHERE name = 'schema'")
    with pytest.raises(SchemaVersionMismatch) as error:
        PostgresStorage(Server(url))
    assert str(error.value) == (
        f"store '{url}' has schema version 99, this version of project-memory knows up to "
        f"{NEXT - 1}; upgrade project-memory"
    )


def test_a_process_that_is_behind_is_told_to_restart(url):
    with at(url) as old:
        with at(url, steps=(*PACKAGED, STEP)):
            pass
        for mode in (old.read, old.write):
            with pytest.raises(SchemaVersionMismatch) as error, mode():
                pass
            assert str(error.value) == (
                f"store '{url}' was brought to schema version {NEXT} meanwhile, this process "
                f"works with {NEXT - 1}; restart it"
            )


def test_an_upgrade_waits_for_who_uses_the_store(url):
    with at(url) as storage, storage.read() as reader:
        reader.projects()
        with pytest.raises(StorageBusy):
            PostgresStorage(Server(url), busy_timeout=0.1, steps=(*PACKAGED, STEP))


@pytest.mark.parametrize("steps", [PACKAGED, (*PACKAGED, STEP)])
def test_of_many_that_make_or_upgrade_a_store_at_once_one_does(postgres, home, steps):
    url = postgres()
    if steps != PACKAGED:
        with at(url, create=True):
            pass

    def opened(_):
        with at(url, create=True, steps=steps) as storage, storage.read() as reader:
            return reader.store_id()

    with ThreadPoolExecutor(6) as threads:
        assert len(set(threads.map(opened, range(6)))) == 1
    assert len(list(home.glob("*"))) == (steps != PACKAGED)
