from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory, validate_directory
from project_memory.errors import Conflict, InvalidInput
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


def edit(file: Path, **fields: object) -> str:
    document = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**document, **fields}), encoding="utf-8")
    return file.read_text(encoding="utf-8")


def refusal(folder: Path, files: str) -> str:
    return (
        f"{files} what this project never held; take it in first with "
        f"`project-memory import {folder}`, or write over it (--overwrite)"
    )


def test_an_edit_by_hand_is_not_written_over(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.export_directory(tmp_path)
    kept = edit(tmp_path / "memories/first.json", pitfalls=["written by hand"])
    memory.update("second", {"tags": ["since"]})
    before = (tmp_path / "memories/second.json").read_bytes()
    with pytest.raises(Conflict) as caught:
        memory.export_directory(tmp_path)
    assert str(caught.value) == refusal(tmp_path, f"'memories/first.json' in '{tmp_path}' holds")
    assert (tmp_path / "memories/first.json").read_text() == kept
    assert (tmp_path / "memories/second.json").read_bytes() == before
    memory.import_path(tmp_path)
    memory.export_directory(tmp_path)
    assert memory.get("first").memory["pitfalls"] == ["written by hand"]
    assert memory.export_directory(tmp_path).files_changed == 0


def test_an_edit_by_hand_goes_when_asked(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.export_directory(tmp_path)
    before = (tmp_path / "memories/first.json").read_text()
    edit(tmp_path / "memories/first.json", pitfalls=["written by hand"])
    assert memory.export_directory(tmp_path, overwrite=True).files_changed == 1
    assert (tmp_path / "memories/first.json").read_text() == before


def test_what_an_export_wrote_at_any_time_is_written_over(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.add_label("area:web", description="requests")
    memory.pin("first")
    memory.set_status("third", "stale", reason="the driver changed")
    memory.export_directory(tmp_path)
    memory.update("first", {"labels": ["area:web"]})
    memory.unpin("first")
    memory.archive("second")
    memory.unlink("first", "causes", "second")
    memory.rename_label("area:web", "area:browser")
    memory.set_single("kind")
    memory.delete("third")
    memory.create(draft(id="third", description="another lesson of that name, a later one"))
    memory.set_status("third", "stale", reason="of another kind")
    memory.export_directory(tmp_path)
    memory.undo()
    memory.export_directory(tmp_path)
    assert validate_directory(tmp_path).ok
    assert files(tmp_path) == [
        "archive/second.json",
        "labels.json",
        "memories/first.json",
        "memories/third.json",
        "meta.json",
    ]


def test_another_layout_of_the_same_is_written_over(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.export_directory(tmp_path)
    file = tmp_path / "memories/first.json"
    whole = file.read_text()
    file.write_text(json.dumps(json.loads(whole), sort_keys=True).replace("\n", "\r\n"))
    memory.export_directory(tmp_path)
    assert file.read_text() == whole


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda f: (f / "labels.json").write_text('{"schema_version": 1, "labels": {"a:b": {}}}'),
         "'labels.json'"),
        (lambda f: (f / "labels.json").write_text("{"), "'labels.json'"),
        (lambda f: (f / "meta.json").write_text('{"memories": {"first": {"pinned": true}}}'),
         "'memories/first.json'"),
        (lambda f: (f / "memories/first.json").write_text("<<<<<<< ours\n"),
         "'memories/first.json'"),
        (lambda f: (f / "memories/first.json").rename(f / "archive/first.json"),
         "'archive/first.json'"),
        (lambda f: edit(f / "memories/first.json", description="short"), "'memories/first.json'"),
    ],
)  # fmt: skip
def test_whatever_was_written_by_hand_is_seen(
    memory: ProjectMemory, tmp_path: Path, change, named: str
) -> None:
    memory.archive("third")
    memory.export_directory(tmp_path)
    change(tmp_path)
    before = {file: (tmp_path / file).read_bytes() for file in files(tmp_path)}
    with pytest.raises(Conflict) as caught:
        memory.export_directory(tmp_path)
    assert str(caught.value) == refusal(tmp_path, f"{named} in '{tmp_path}' holds")
    assert {file: (tmp_path / file).read_bytes() for file in files(tmp_path)} == before


def test_many_edited_files_are_counted(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.create(draft(id="fourth", description="the lesson that is called fourth here"))
    memory.export_directory(tmp_path)
    for name in ("first", "second", "third", "fourth"):
        edit(tmp_path / f"memories/{name}.json", tags=["by hand"])
    with pytest.raises(Conflict) as caught:
        memory.export_directory(tmp_path)
    assert str(caught.value) == refusal(
        tmp_path,
        "'memories/first.json', 'memories/fourth.json', 'memories/second.json' and 1 more in "
        f"'{tmp_path}' hold",
    )


@pytest.mark.parametrize("part", ["memories", "archive", "labels.json"])
def test_no_export_leaves_its_folder_by_a_link(
    memory: ProjectMemory, tmp_path: Path, part: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / part).symlink_to(outside)
    for overwrite in (False, True):
        with pytest.raises(InvalidInput) as caught:
            memory.export_directory(folder, overwrite=overwrite)
        assert str(caught.value) == (
            f"'{part}' in '{folder}' is a symbolic link, and an export writes into no other "
            "place; remove the link, or name another folder"
        )
    assert list(outside.iterdir()) == []


def test_a_document_that_is_a_link_is_no_export(memory: ProjectMemory, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    memory.export_directory(folder)
    outside = tmp_path / "outside.json"
    (folder / "memories/first.json").rename(outside)
    (folder / "memories/first.json").symlink_to(outside)
    whole = outside.read_bytes()
    with pytest.raises(Conflict):
        memory.export_directory(folder)
    memory.update("first", {"tags": ["since"]})
    memory.export_directory(folder, overwrite=True)
    assert outside.read_bytes() == whole
    assert not (folder / "memories/first.json").is_symlink()


def test_a_file_export_replaces_exports_only(memory: ProjectMemory, tmp_path: Path) -> None:
    file = tmp_path / "package.json"
    file.write_text('{"name": "something else"}')
    with pytest.raises(Conflict) as caught:
        memory.export_file(file)
    assert str(caught.value) == (
        f"'{file}' is there already and no export; name another file, or write over it "
        "(--overwrite)"
    )
    assert file.read_text() == '{"name": "something else"}'
    memory.export_file(file, overwrite=True)
    memory.update("first", {"tags": ["since"]})
    assert memory.export_file(file).memories == 3
    (tmp_path / "empty.json").touch()
    assert memory.export_file(tmp_path / "empty.json").memories == 3
