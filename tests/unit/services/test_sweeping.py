"""What a purge left to clear is cleared by whoever changes the store next, or by doctor."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory, check_store
from project_memory.errors import StorageBusy
from project_memory.model import Actor, Authority, Check
from project_memory.storage import open_storage, sqlite

ADA = Actor("ada", Authority.USER)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a store that owes a sweep."""
    place = tmp_path / "store.db"
    ProjectMemory.open(str(place), project="demo", actor=ADA, create=True).close()
    with closing(open_storage(str(place), create=False)) as storage, storage.write() as writer:
        writer.owe_sweep()
    return place


def owes(path: Path) -> bool:
    with closing(open_storage(str(path), create=False)) as storage, storage.read() as reader:
        return reader.owes_sweep()


@contextmanager
def an_old_view(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchone()
        yield


def test_doctor_finishes_what_was_cut_off_and_says_so(path: Path) -> None:
    assert check_store(str(path), "demo")[2:] == [
        Check("purge", "a purge that was cut off is finished", ok=True)
    ]
    assert not owes(path)
    assert check_store(str(path), "demo")[2:] == []


def test_doctor_says_what_is_in_the_way(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(open_storage.__kwdefaults__, "busy_timeout", 0.1)
    with an_old_view(path):
        (found,) = check_store(str(path), "demo")[2:]
    assert found == Check(
        "purge",
        "a purge that was cut off could not be finished; another process reads an old view of the "
        f"store, so that its log '{path}-wal' may hold it; run `project-memory doctor` when that "
        "process has ended, which clears it",
        ok=False,
    )
    assert owes(path)


def test_the_first_change_of_who_opens_the_store_finishes_it(path: Path) -> None:
    with ProjectMemory.open(str(path), project="demo", actor=ADA) as memories:
        memories.recall(query="anything")
        memories.create(draft(), dry_run=True)
        assert owes(path)
        memories.create(draft())
        assert not owes(path)


def test_what_cannot_be_finished_stops_no_change_and_is_warned_of(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def busy(storage: object) -> list[str]:
        raise StorageBusy("store 'x' is busy")

    with ProjectMemory.open(str(path), project="demo", actor=ADA) as memories:
        monkeypatch.setattr(sqlite.SqliteStorage, "sweep", busy)
        with caplog.at_level(logging.WARNING):
            memories.create(draft())
            memories.create(draft(description="Another lesson, of another matter altogether"))
    assert caplog.messages == [
        "what was purged could not be cleared from the store: store 'x' is busy"
    ]
    assert owes(path)
