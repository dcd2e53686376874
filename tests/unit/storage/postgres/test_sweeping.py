from __future__ import annotations

import psycopg
import pytest
from factories import memory, revision

from project_memory.errors import StorageBusy
from project_memory.model import MemoryChange

TRACE = "a-text-that-nothing-else-in-the-world-says"
LOG = (
    "the server's write-ahead log holds it until it is written over, and so do replicas' logs, "
    "archives and backups of the server; ask its administrator"
)


@pytest.fixture
def storage(url, opened, tmp_path, monkeypatch):
    """Return a store that held the trace a moment ago."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    storage = opened(url)
    with storage.write() as writer:
        project = writer.put_project("demo")
        for number in range(1, 6):
            one = memory(number, id=f"memory-{number}", tags=[TRACE])
            writer.put_memory(project.key, one, "d")
            writer.append_revision(project.key, revision(number, MemoryChange(None, one)))
    with storage.write() as writer:
        for number in range(1, 6):
            writer.remove_memory(project.key, number)
        writer.rewrite_history(project.key, lambda old: revision(old.number))
    return storage


def traces(server):
    server.run("CHECKPOINT")
    files = (path for path in (server.folder / "data" / "base").rglob("*") if path.is_file())
    return [path for path in files if TRACE.encode() in path.read_bytes()]


def test_what_was_removed_is_in_no_file_of_a_table(storage, postgres_server):
    assert traces(postgres_server)
    assert storage.sweep() == [LOG]
    assert traces(postgres_server) == []


def test_backups_from_before_are_named(storage, tmp_path):
    with storage.read() as reader:
        file = tmp_path / "project-memory" / "backups" / f"{reader.store_id()}.v1.sql"
    file.parent.mkdir(parents=True)
    for path in (file, file.with_name("another.v1.sql")):
        path.write_text("")
    assert storage.sweep() == [
        f"backup '{file}' was made before and may hold it; delete it, or put it under lock",
        LOG,
    ]


def test_a_session_with_an_old_view_is_told(storage, postgres_server):
    with psycopg.connect(postgres_server.url()) as other:
        other.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        other.execute("SELECT 1")
        assert storage.sweep() == [
            "another session reads an old view of the database, so that its tables may hold it; "
            "run `project-memory doctor` when that session has ended, which clears it",
            LOG,
        ]


def test_a_sweep_waits_no_longer_than_the_busy_timeout(url, storage, opened):
    impatient = opened(url, busy_timeout=0.1)
    with storage.read() as reader:
        reader.projects()
        with pytest.raises(StorageBusy):
            impatient.sweep()
    impatient.sweep()
