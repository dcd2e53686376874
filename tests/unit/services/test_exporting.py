from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory, validate_directory
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as opened:
        for name in ("first", "second", "third"):
            opened.create(draft(id=name, description=f"the lesson that is called {name} here"))
        opened.link("first", "causes", "second")
        yield opened


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.json"))


def test_the_files_of_deleted_and_renamed_memories_go(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.export_directory(tmp_path)
    memory.delete("first")
    memory.rename("third", "fourth")
    memory.archive("second")
    report = memory.export_directory(tmp_path)
    assert report.removed == ("memories/first.json", "memories/third.json")
    assert report.unknown == ()
    assert files(tmp_path) == [
        "archive/second.json",
        "labels.json",
        "memories/fourth.json",
        "meta.json",
    ]
    assert validate_directory(tmp_path).ok


def test_an_edited_or_foreign_file_stays_and_is_named(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.export_directory(tmp_path)
    memory.delete("first")
    edited = tmp_path / "memories/first.json"
    document = json.loads(edited.read_text())
    edited.write_text(json.dumps({**document, "pitfalls": ["edited by hand"]}))
    (tmp_path / "memories/notes.json").write_text("{}")
    report = memory.export_directory(tmp_path)
    assert report.removed == ()
    assert report.unknown == ("memories/first.json", "memories/notes.json")
    assert edited.exists()
