"""A directory reads the same from the disk and from memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories import document

from project_memory import exchange
from project_memory.exchange import Held, OnDisk

SOUND = json.dumps(document()).encode()


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"sqlite-locked.json": SOUND, "labels.json": b'{"schema_version": 1, "labels": {}}'},
        {"memories/sqlite-locked.json": SOUND, "stray.json": b"{}", "memories/x.txt": b""},
        {"memories/sqlite-locked.json": SOUND, "archive/other.json": b"{", "meta.json": b"null"},
        {"memories/A.JSON": SOUND, "memories/.hidden.json": b"", "memories/x.conflict.json": b""},
        {"memories/latin.json": b"\xff", "labels.json": b"[]"},
    ],
)
def test_both_give_the_same_package(tmp_path: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    disk, held = (exchange.read_folder(folder) for folder in (OnDisk(tmp_path), Held(files)))
    assert (disk.problems, disk.registry, disk.unread) == (
        held.problems, held.registry, held.unread
    )  # fmt: skip
    assert [m.document for m in disk.memories] == [m.document for m in held.memories]
    assert [m.file for m in disk.memories] == [m.file for m in held.memories]


def test_what_is_no_file_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "memories/lost.json").mkdir(parents=True)
    disk = exchange.read_folder(OnDisk(tmp_path))
    held = exchange.read_folder(Held({}, frozenset({"memories/lost.json"})))
    assert disk == held
    assert [(p.code, p.file) for p in held.problems] == [("not-a-file", "memories/lost.json")]
    assert held.unread == {"lost"}


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"four")
    for folder in (OnDisk(tmp_path), Held({"a.json": b"four"})):
        assert [folder.content("a.json", limit) for limit in (3, 4)] == [None, b"four"]


def test_files_that_a_directory_is_made_of_are_told_from_others() -> None:
    names = (
        "labels.json", "meta.json", "a.json", "memories/a.json", "archive/A.JSON", "memories",
        "README.md", "memories/.a.json", "memories/a.conflict.json", "memories/b/a.json",
        "docs/a.json",
    )  # fmt: skip
    assert [name for name in names if exchange.belongs(name)] == list(names[:6])
