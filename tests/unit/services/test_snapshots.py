"""An index that is kept between processes is never older, and never other, than the store."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.index import Index, arrayfile, snapshot
from project_memory.model import Actor, Authority
from project_memory.services import indexes, snapshots

ADA = Actor("ada", Authority.USER)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(snapshots, "WORTH", 3)
    monkeypatch.setattr(indexes, "FEW", 2)


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return where each building of an index from all memories is noted."""
    noted: list[int] = []
    build = Index.build

    def counted(memories, registry, revision):
        noted.append(revision)
        return build(memories, registry, revision)

    monkeypatch.setattr(Index, "build", counted)
    return noted


def opened(path: Path, project: str = "demo") -> ProjectMemory:
    return ProjectMemory.open(str(path), project=project, actor=ADA, create=True)


def ids(store: ProjectMemory, query: str = "retry") -> list[str]:
    return [hit.id for hit in store.recall(query=query).answers]


def lesson(name: str) -> dict:
    return draft(id=name, description=f"{name} says that a retry without backoff floods us")


def filled(path: Path, *names: str) -> None:
    with opened(path) as store:
        for name in names:
            store.create(lesson(name))
        store.recall(query="retry")


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").glob("*"))


def test_a_new_process_reads_what_was_kept(tmp_path: Path, builds: list[int]) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    assert len(kept(tmp_path)) == 1
    builds.clear()
    with opened(tmp_path / "m.db") as store:
        assert sorted(ids(store)) == ["one-a", "three-c", "two-b"]
        assert [m.id for m in store.search("id:two-b").memories] == ["two-b"]
    assert builds == []


def test_what_changed_since_is_taken_in(tmp_path: Path, builds: list[int]) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    with opened(tmp_path / "m.db") as store:
        store.delete("two-b")
        store.create(lesson("four-d"))
        store.update("one-a", {"description": "one-a is about the colour of a button now"})
    builds.clear()
    with opened(tmp_path / "m.db") as store:
        assert sorted(ids(store)) == ["four-d", "three-c"]
        assert ids(store, "button") == ["one-a"]
    assert builds == []


def test_a_few_changes_are_not_written_at_the_end(tmp_path: Path) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    (file,) = kept(tmp_path)
    before = file.stat().st_mtime_ns
    with opened(tmp_path / "m.db") as store:
        store.create(lesson("four-d"))
        ids(store)
    assert file.stat().st_mtime_ns == before


@pytest.mark.parametrize(("share", "written"), [(2, False), (3, True)])
def test_a_large_index_is_not_written_for_a_small_share_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int, written: bool
) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    (file,) = kept(tmp_path)
    before = file.stat().st_mtime_ns
    monkeypatch.setattr(indexes, "SHARE", share)
    with opened(tmp_path / "m.db") as store:
        ids(store)
        store.create(lesson("four-d"))
        store.create(lesson("five-e"))
        ids(store)
    assert (file.stat().st_mtime_ns != before) == written


def test_after_many_changes_it_is_written_in_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "BEHIND", 4)
    with opened(tmp_path / "m.db") as store:
        for name in ("one-a", "two-b", "three-c", "four-d"):
            store.create(lesson(name))
            ids(store)
        assert kept(tmp_path) == []
        ids(store)  # now that the texts are taken in
        (file,) = kept(tmp_path)
        told, _ = arrayfile.read(file)
        assert told["origin"]["revision"] == store.recall(query="x").store.revision


def test_a_small_index_is_not_kept(tmp_path: Path) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b")
    assert kept(tmp_path) == []


def test_a_store_in_memory_keeps_nothing(tmp_path: Path) -> None:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as store:
        for name in ("one-a", "two-b", "three-c"):
            store.create(lesson(name))
        ids(store)
    assert kept(tmp_path) == []


def test_a_damaged_file_is_built_anew_in_silence(
    tmp_path: Path, builds: list[int], capfd: pytest.CaptureFixture[str]
) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    (file,) = kept(tmp_path)
    whole = file.read_bytes()
    for damaged in (b"", whole[:100], whole[:-1], whole[:5000] + b"?" + whole[5001:], b"x" * 9000):
        file.write_bytes(damaged)
        builds.clear()
        with opened(tmp_path / "m.db") as store:
            assert sorted(ids(store)) == ["one-a", "three-c", "two-b"]
        assert len(builds) == 1
        arrayfile.read(file)  # it was written again
    assert capfd.readouterr() == ("", "")


def test_a_file_of_other_rules_is_built_anew(
    tmp_path: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    monkeypatch.setitem(snapshot._RULES, "format", snapshot.FORMAT + 1)
    builds.clear()
    with opened(tmp_path / "m.db") as store:
        ids(store)
    assert len(builds) == 1


def test_a_file_of_another_store_is_not_believed(tmp_path: Path, builds: list[int]) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    filled(tmp_path / "other.db", "red-a", "green-b", "blue-c")
    mine, others = kept(tmp_path)
    both = mine.read_bytes(), others.read_bytes()
    mine.write_bytes(both[1])
    others.write_bytes(both[0])
    builds.clear()
    with opened(tmp_path / "m.db") as store:
        assert sorted(ids(store)) == ["one-a", "three-c", "two-b"]
    with opened(tmp_path / "other.db") as store:
        assert sorted(ids(store)) == ["blue-c", "green-b", "red-a"]
    assert len(builds) == 2


def test_projects_of_one_store_are_kept_apart(tmp_path: Path) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    with opened(tmp_path / "m.db", "second") as store:
        for name in ("red-a", "green-b", "blue-c"):
            store.create(lesson(name))
        ids(store)
    assert len(kept(tmp_path)) == 2
    with opened(tmp_path / "m.db", "second") as store:
        assert sorted(ids(store)) == ["blue-c", "green-b", "red-a"]


def test_a_store_from_a_backup_is_not_taken_for_the_one_that_was_kept(tmp_path: Path) -> None:
    path, backup = tmp_path / "m.db", tmp_path / "backup.db"
    filled(path, "one-a")
    shutil.copy(path, backup)
    filled(path, "two-b", "three-c")
    shutil.copy(backup, path)
    with opened(path) as store:
        assert ids(store) == ["one-a"]
        # the same number of revisions as what was kept, but other ones
        store.create(lesson("four-d"), reason="another history")
        store.delete("four-d")
    with opened(path) as store:
        assert ids(store) == ["one-a"]


def test_a_purge_leaves_no_trace_of_a_text_in_what_is_kept(tmp_path: Path) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    with opened(tmp_path / "m.db") as store:
        store.purge("two-b", leave_copies=True)
        assert kept(tmp_path) == []
        assert sorted(ids(store)) == ["one-a", "three-c"]


def test_where_nothing_can_be_written_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr(snapshots, "folder", lambda: tmp_path / "file" / "cache")
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    with opened(tmp_path / "m.db") as store:
        assert sorted(ids(store)) == ["one-a", "three-c", "two-b"]


def restored(path: Path, backup: Path) -> None:
    """Put a backup in the place of a store that others have open."""
    with sqlite3.connect(backup) as source, sqlite3.connect(path) as target:
        source.backup(target)
    source.close()
    target.close()


def test_an_open_store_notices_that_it_was_restored_to_a_backup(tmp_path: Path) -> None:
    path, backup = tmp_path / "m.db", tmp_path / "backup.db"
    filled(path, "one-a")
    shutil.copy(path, backup)
    with opened(path) as store:
        for name in ("two-b", "three-c"):
            store.create(lesson(name))
        assert len(ids(store)) == 3
        restored(path, backup)
        assert ids(store) == ["one-a"]
        with opened(path) as other:
            for name in ("red-a", "green-b", "blue-c"):
                other.create(lesson(name))
        assert sorted(ids(store)) == ["blue-c", "green-b", "one-a", "red-a"]


def test_what_a_killed_process_left_half_written_goes_with_a_purge(tmp_path: Path) -> None:
    filled(tmp_path / "m.db", "one-a", "two-b", "three-c")
    (file,) = kept(tmp_path)
    (tmp_path / "cache" / f".{file.name}.abcd1234").write_bytes(b"half")
    with opened(tmp_path / "m.db") as store:
        store.purge("two-b", leave_copies=True)
    assert kept(tmp_path) == []


def test_who_only_searches_does_not_pay_for_ranking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "BEHIND", 2)
    monkeypatch.setattr(Index, "corpus", property(lambda _: pytest.fail("texts were analysed")))
    with opened(tmp_path / "m.db") as store:
        for name in ("one-a", "two-b", "three-c"):
            store.create(lesson(name))
        assert len(store.search("kind:bug").memories) == 3
    assert kept(tmp_path) == []


def test_an_index_of_a_database_is_kept_too(postgres, tmp_path: Path, builds: list[int]) -> None:
    url = postgres()
    filled(url, "one-a", "two-b", "three-c")
    assert len(kept(tmp_path)) == 1
    builds.clear()
    with opened(url) as store:
        assert sorted(ids(store)) == ["one-a", "three-c", "two-b"]
    assert builds == []
    filled(postgres(), "four-d", "five-e", "six-f")
    assert len(kept(tmp_path)) == 2
