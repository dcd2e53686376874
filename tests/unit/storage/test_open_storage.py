from __future__ import annotations

import sys
from functools import partial

import pytest

from project_memory.errors import InvalidInput, NotFound
from project_memory.storage import findings, open_storage


def test_reading_never_creates_a_store(tmp_path):
    path = tmp_path / "folder" / "memroy.db"
    with pytest.raises(NotFound) as error:
        open_storage(str(path), create=False)
    assert str(error.value) == (
        f"no store at '{path}'; check the path, or create it with `project-memory init`"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_store_made_by_path_is_found_by_its_url(tmp_path):
    path = tmp_path / "with space" / "märz#1?.db"
    storage = open_storage(str(path), create=True)
    url = storage.url
    storage.close()
    assert path.is_file()
    again = open_storage(url, create=False)
    assert again.url == url
    again.close()


def test_creating_leaves_an_existing_store_as_it_is(tmp_path):
    path = str(tmp_path / "memory.db")
    ids = []
    for _ in range(2):
        storage = open_storage(path, create=True)
        with storage.read() as reader:
            ids.append(reader.store_id())
        storage.close()
    assert ids[0] == ids[1]


def test_each_in_memory_store_is_a_store_of_its_own():
    first, second = (open_storage("inmemory://", create=False) for _ in range(2))
    with first.write() as writer:
        writer.put_project("demo")
    with second.read() as reader:
        assert reader.projects() == []


@pytest.mark.parametrize("use", [findings, partial(open_storage, create=True)])
def test_without_the_driver_the_extra_is_named(use, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("project_memory.storage.postg")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InvalidInput) as error:
        use("postgresql://ada@db.example.org/memory")
    assert str(error.value) == (
        "a store in PostgreSQL needs a driver that is not installed; run "
        "`pip install '.[postgres]'` in your clone of project-memory"
    )


def test_a_sound_store_has_no_findings(tmp_path):
    path = str(tmp_path / "memory.db")
    open_storage(path, create=True).close()
    assert findings(path) == []
    assert findings("inmemory://") == []


def test_a_missing_store_is_a_finding(tmp_path):
    path = tmp_path / "memory.db"
    assert findings(str(path)) == [
        f"no store at '{path}'; check the path, or create it with `project-memory init`"
    ]


def test_a_url_that_cannot_be_used_is_no_finding():
    with pytest.raises(InvalidInput):
        findings("")
