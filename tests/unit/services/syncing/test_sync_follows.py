"""What a synchronisation follows across renames and circles, and what it refuses."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from factories import document, draft

from project_memory import documents
from project_memory.app import ProjectMemory, validate_directory
from project_memory.errors import InvalidInput, NotFound, SecretFound
from project_memory.exchange import replacing
from project_memory.model import Actor, Authority
from project_memory.services.syncing import SyncConflict

ADA = Actor("ada", Authority.USER)
REASON = "both fail when two writers meet"


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    opened = ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True)
    with opened as project:
        for name in ("first", "second", "third"):
            project.create(draft(id=name, description=f"the lesson that is called {name} here"))
        project.link("first", "related", "second", link_reason=REASON)
        yield project


@pytest.fixture
def folder(memory: ProjectMemory, tmp_path: Path) -> Path:
    path = tmp_path / "lessons"
    memory.sync(path)
    return path


def load(folder: Path, name: str) -> dict[str, Any]:
    return json.loads((folder / "memories" / f"{name}.json").read_text(encoding="utf-8"))


def put(folder: Path, held: dict[str, Any]) -> None:
    text = documents.to_text(documents.canonical(held))
    (folder / "memories" / f"{held['id']}.json").write_text(text, encoding="utf-8")


def rename(folder: Path, name: str, new: str, **fields: Any) -> None:
    """Give a file another id, as an editor would, and leave its neighbours' links."""
    put(folder, {**load(folder, name), "id": new, **fields})
    (folder / "memories" / f"{name}.json").unlink()


def links(memory: ProjectMemory, name: str) -> dict[str, Any]:
    held = memory.get(name).memory["relationships"]
    return {kind: each for kind, each in held.items() if each}


def settled(memory: ProjectMemory, folder: Path) -> None:
    """Hold that both sides are valid and that a second time changes nothing."""
    assert validate_directory(folder).problems == ()
    assert memory.validate().problems == ()
    again = memory.sync(folder)
    assert (again.files_changed, again.removed, again.receipt.memories) == (0, (), ())


def test_what_was_renamed_here_takes_what_the_folder_changed(
    memory: ProjectMemory, folder: Path
) -> None:
    memory.rename("second", "zweite")
    put(folder, {**load(folder, "second"), "pitfalls": ["mind it"]})
    third = load(folder, "third")
    third["relationships"]["causes"] = [{"id": "second"}]
    put(folder, third)
    report = memory.sync(folder)
    assert (report.conflicts, report.removed) == ((), ("memories/second.json",))
    assert memory.get("zweite").memory["pitfalls"] == ["mind it"]
    assert links(memory, "zweite") == {
        "related": [{"id": "first", "reason": REASON}], "caused_by": [{"id": "third"}]
    }  # fmt: skip
    settled(memory, folder)


def test_what_was_renamed_in_the_folder_is_renamed_here(
    memory: ProjectMemory, folder: Path
) -> None:
    memory.update("second", {"tags": ["here"]})
    memory.link("third", "depends_on", "second")
    rename(folder, "second", "zweite", pitfalls=["mind it"])
    report = memory.sync(folder)
    assert (report.conflicts, report.restored, report.taken) == ((), (), ("zweite",))
    held = memory.get("second").memory
    assert (held["id"], held["tags"], held["pitfalls"]) == ("zweite", ["here"], ["mind it"])
    assert links(memory, "zweite") == {
        "related": [{"id": "first", "reason": REASON}], "required_by": [{"id": "third"}]
    }  # fmt: skip
    settled(memory, folder)


def test_an_id_that_leads_to_a_renamed_memory_is_not_given_again(
    memory: ProjectMemory, folder: Path
) -> None:
    memory.rename("second", "zweite")
    memory.sync(folder)
    put(folder, document(id="second", description="a lesson that is about something else",
                         labels=["kind:lesson"]))  # fmt: skip
    report = memory.sync(folder)
    assert [(each.id, each.file) for each in report.conflicts] == [
        ("second", "memories/second.conflict.json")
    ]
    assert memory.get("second").memory["id"] == "zweite"
    settled(memory, folder)


def test_links_that_close_a_circle_only_together_are_a_conflict(
    memory: ProjectMemory, folder: Path
) -> None:
    memory.link("first", "depends_on", "third")
    third = load(folder, "third")
    third["relationships"]["depends_on"] = [{"id": "first"}]
    put(folder, third)
    report = memory.sync(folder)
    assert report.conflicts == (
        SyncConflict("third", ("$.relationships.depends_on",), "memories/third.conflict.json",
                     "changed on both sides"),
    )  # fmt: skip
    assert links(memory, "third") == {"required_by": [{"id": "first"}]}
    settled(memory, folder)


def test_a_twin_in_the_place_of_the_file_is_taken(memory: ProjectMemory, folder: Path) -> None:
    memory.update("first", {"description": "the lesson as the store has it now"})
    put(folder, {**load(folder, "first"), "description": "the lesson as the folder has it now"})
    memory.sync(folder)
    twin = folder / "memories" / "first.conflict.json"
    twin.rename(folder / "memories" / "first.json")
    assert memory.sync(folder).passed
    assert memory.get("first").memory["description"] == "the lesson as the folder has it now"
    settled(memory, folder)


def test_no_twin_is_written_over(memory: ProjectMemory, folder: Path) -> None:
    for number in (1, 2):
        memory.update("first", {"description": f"the lesson as the store has it, {number}"})
        put(folder, {**load(folder, "first"), "description": f"the lesson as edited, {number}"})
        memory.sync(folder)
    told = [load(folder, f"first{mark}.conflict")["description"] for mark in ("", ".2")]
    assert told == ["the lesson as edited, 1", "the lesson as edited, 2"]


def test_expectations_of_one_question_are_merged(memory: ProjectMemory, folder: Path) -> None:
    memory.expect("what locks", ["first"])
    memory.sync(folder)
    memory.expect("what locks", ["second"])
    meta = json.loads((folder / "meta.json").read_text())
    meta["expectations"][0] |= {"expects": ["first", "third"], "within": 3}
    (folder / "meta.json").write_text(json.dumps(meta))
    assert memory.sync(folder).conflicts == ()
    held = memory.expectations().expectations
    assert [(each.expects, each.within) for each in held] == [(("first", "second", "third"), 3)]
    settled(memory, folder)


def test_a_renamed_label_is_followed_and_one_in_use_stays(
    memory: ProjectMemory, folder: Path
) -> None:
    memory.add_label("area:queue", description="jobs")
    memory.update("first", {"labels": ["area:queue", "kind:bug"]})
    memory.sync(folder)
    memory.rename_label("area:queue", "area:jobs")
    put(folder, {**load(folder, "third"), "labels": ["area:queue", "kind:bug"]})
    labels = json.loads((folder / "labels.json").read_text())
    del labels["labels"]["kind:bug"]
    (folder / "labels.json").write_text(json.dumps(labels))
    assert memory.sync(folder).conflicts == ()
    for name in ("first", "third"):
        assert memory.get(name).memory["labels"] == ["area:jobs", "kind:bug"]
    settled(memory, folder)


def test_a_prefix_that_the_folder_makes_single_stays_where_memories_carry_several(
    memory: ProjectMemory, folder: Path
) -> None:
    memory.add_label("kind:fault")
    memory.update("first", {"labels": ["kind:fault", "kind:bug"]})
    labels = json.loads((folder / "labels.json").read_text())
    labels["prefixes"] = {"kind": {"single": True}}
    (folder / "labels.json").write_text(json.dumps(labels))
    assert [(each.id, each.fields) for each in memory.sync(folder).conflicts] == [
        ("labels.json", ("kind",))
    ]
    settled(memory, folder)


def test_a_sync_that_ended_before_files_were_written_is_finished_by_the_next(
    memory: ProjectMemory, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.update("first", {"tags": ["here"]})
    memory.rename("third", "dritte")
    put(folder, {**load(folder, "first"), "pitfalls": ["mind it"]})
    rename(folder, "second", "zweite")
    with monkeypatch.context() as killed:
        killed.setattr(replacing, "bring", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            memory.sync(folder)
    report = memory.sync(folder)
    assert (report.conflicts, report.removed) == ((), ("memories/third.json",))
    assert set(memory.memory_ids()) == {"first", "zweite", "dritte"}
    held = memory.get("first").memory
    assert (held["tags"], held["pitfalls"]) == (["here"], ["mind it"])
    settled(memory, folder)


def test_a_folder_that_is_gone_is_no_empty_one(memory: ProjectMemory, folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(NotFound) as error:
        memory.sync(folder, prune=True)
    assert str(error.value) == (
        f"'{folder}' is gone, which was synced with this project before; bring it back, or make "
        "an empty folder to have it written anew"
    )
    folder.mkdir()
    assert memory.sync(folder).restored == ("first", "second", "third")


def test_a_folder_without_any_memory_prunes_nothing(memory: ProjectMemory, folder: Path) -> None:
    for file in (folder / "memories").iterdir():
        file.unlink()
    with pytest.raises(InvalidInput) as error:
        memory.sync(folder, prune=True)
    assert str(error.value) == (
        f"none of the 3 memories that '{folder}' held last is in it any more; sync without "
        "--prune to have their files written again"
    )


def test_documents_beside_the_folders_are_refused(memory: ProjectMemory, tmp_path: Path) -> None:
    (tmp_path / "first.json").write_text(documents.to_text(document(id="first")))
    with pytest.raises(InvalidInput) as error:
        memory.sync(tmp_path)
    assert str(error.value) == (
        f"'first.json' lies in '{tmp_path}' itself; move documents to the folder 'memories' in it"
    )


def test_secrets_of_the_folder_are_refused_before_anything_is_changed(
    memory: ProjectMemory, folder: Path
) -> None:
    memory.update("first", {"tags": ["here"]})
    secret = "AKIA" + "Q3EGRIZ7XKJ2LMNO"
    put(folder, {**load(folder, "second"), "pitfalls": [f"the key is {secret}"]})
    with pytest.raises(SecretFound):
        memory.sync(folder)
    assert load(folder, "first")["tags"] == []
    assert memory.get("second").memory["pitfalls"] == []


def test_the_folder_lost_its_other_files_and_nothing_else(
    memory: ProjectMemory, folder: Path
) -> None:
    memory.pin("first")
    memory.expect("what locks", ["first"])
    memory.sync(folder)
    for name in ("labels.json", "meta.json"):
        (folder / name).unlink()
    assert memory.sync(folder).conflicts == ()
    assert memory.get("first").meta.pinned
    assert len(memory.expectations().expectations) == 1
    assert stat.S_IMODE((folder / "meta.json").stat().st_mode) == 0o644
    settled(memory, folder)
