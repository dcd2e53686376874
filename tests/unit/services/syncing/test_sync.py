"""A folder and a project say the same after a synchronisation, and nothing is lost."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from factories import document, draft

from project_memory import documents
from project_memory.app import ProjectMemory, validate_directory
from project_memory.errors import Conflict, InvalidDocument
from project_memory.model import Actor, Authority
from project_memory.roles import Role, Speaker
from project_memory.services.syncing import Run, SyncConflict

ADA = Actor("ada", Authority.USER)
REASON = "both fail when two writers meet"


def opened(actor: Actor = ADA) -> ProjectMemory:
    return ProjectMemory.open("inmemory://", project="demo", actor=actor, create=True)


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with opened() as project:
        for name in ("first", "second", "third"):
            project.create(draft(id=name, description=f"the lesson that is called {name} here"))
        project.link("first", "related", "second", link_reason=REASON)
        yield project


@pytest.fixture
def folder(memory: ProjectMemory, tmp_path: Path) -> Path:
    """A folder that was synchronised once."""
    path = tmp_path / "lessons"
    memory.sync(path)
    return path


def load(folder: Path, name: str, place: str = "memories") -> dict[str, Any]:
    return json.loads((folder / place / f"{name}.json").read_text(encoding="utf-8"))


def edit(folder: Path, name: str, **fields: Any) -> None:
    held = {**load(folder, name), **fields}
    text = documents.to_text(documents.canonical(held))
    (folder / "memories" / f"{name}.json").write_text(text, encoding="utf-8")


def files(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(folder.rglob("*.json"))}  # fmt: skip


def agree(memory: ProjectMemory, folder: Path, tmp_path: Path) -> None:
    """Hold that an export would write what is in the folder, twins aside."""
    other = tmp_path / f"export-{random.random()}"
    memory.export_directory(other)
    kept = {name: text for name, text in files(folder).items() if ".conflict." not in name}
    assert kept == files(other)
    assert validate_directory(folder).problems == ()


def test_a_new_folder_is_an_export_and_a_second_time_changes_nothing(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    path = tmp_path / "lessons"
    first = memory.sync(path)
    assert (first.files_changed, first.passed) == (5, True)
    agree(memory, path, tmp_path)
    again = memory.sync(path)
    assert (again.files_changed, again.taken, again.receipt.memories) == (0, (), ())


def test_what_one_side_changed_the_other_takes(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    memory.update("first", {"tags": ["here"]})
    edit(folder, "second", tags=["there"], pitfalls=["mind it"])
    edit(folder, "third", status="stale", status_reason="the pool is gone")
    fresh = document(id="fourth", description="a lesson written in the folder",
                     remembered_facts=["by hand"], labels=["kind:lesson"])  # fmt: skip
    (folder / "memories" / "fourth.json").write_text(documents.to_text(fresh))
    report = memory.sync(folder)
    assert (report.taken, report.conflicts) == (("fourth", "second", "third"), ())
    assert load(folder, "first")["tags"] == ["here"]
    assert memory.get("second").memory["pitfalls"] == ["mind it"]
    assert memory.get("third").meta.own_status == "stale"
    agree(memory, folder, tmp_path)


def test_changes_of_different_fields_and_additions_to_lists_are_merged(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    memory.update("first", {"tags": ["here"], "pitfalls": ["one"], "scope": {"area": "queue"}})
    edit(folder, "first", tags=["there"], triggers=["locked"],
         scope={**load(folder, "first")["scope"], "files": ["src/a.py"]})  # fmt: skip
    report = memory.sync(folder)
    assert report.conflicts == ()
    held = memory.get("first").memory
    assert held["tags"] == ["here", "there"]
    assert (held["pitfalls"], held["triggers"]) == (["one"], ["locked"])
    assert (held["scope"]["area"], held["scope"]["files"]) == ("queue", ["src/a.py"])
    agree(memory, folder, tmp_path)


def test_where_both_changed_one_field_the_folder_s_side_is_kept_as_a_twin(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    memory.update("first", {"description": "the lesson as the store has it now"})
    edit(folder, "first", description="the lesson as the folder has it now", pitfalls=["mind"])
    report = memory.sync(folder)
    assert report.conflicts == (
        SyncConflict("first", ("$.description",), "memories/first.conflict.json",
                     "changed on both sides"),
    )  # fmt: skip
    assert not report.passed
    twin = load(folder, "first.conflict")
    assert twin["description"] == "the lesson as the folder has it now"
    held = memory.get("first").memory
    assert held["description"] == "the lesson as the store has it now"
    assert held["pitfalls"] == ["mind"]
    agree(memory, folder, tmp_path)
    again = memory.sync(folder)
    assert (again.conflicts, again.unsettled) == ((), ("memories/first.conflict.json",))
    assert not again.passed
    (folder / "memories" / "first.conflict.json").unlink()
    assert memory.sync(folder).passed


def test_links_that_one_side_removed_go_and_those_that_it_added_come(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    edit(folder, "first", relationships={"depends_on": [{"id": "third"}]})
    memory.link("second", "causes", "third")
    report = memory.sync(folder)
    assert report.conflicts == ()
    linked = {kind: held for kind, held in memory.get("first").memory["relationships"].items()
              if held}  # fmt: skip
    assert linked == {"depends_on": [{"id": "third"}]}
    agree(memory, folder, tmp_path)
    memory.unlink("first", "depends_on", "third")
    edit(folder, "first", tags=["again"])
    memory.sync(folder)
    assert not any(memory.get("first").memory["relationships"].values())
    agree(memory, folder, tmp_path)


def test_what_was_deleted_here_goes_there_and_a_change_of_it_is_kept(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    memory.delete("second")
    memory.delete("third")
    edit(folder, "third", pitfalls=["mind it"])
    report = memory.sync(folder)
    assert report.removed == ("memories/second.json", "memories/third.json")
    assert [(each.id, each.because) for each in report.conflicts] == [
        ("third", "deleted in the store, changed here")
    ]
    assert load(folder, "third.conflict")["pitfalls"] == ["mind it"]
    agree(memory, folder, tmp_path)


def test_a_link_of_the_folder_to_what_is_deleted_here_is_told_and_left_out(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    memory.delete("third")
    edit(folder, "second", tags=["there"],
         relationships={"depends_on": [{"id": "third"}]})  # fmt: skip
    report = memory.sync(folder)
    assert report.repairs == ("'second' depends_on 'third' is gone: that is deleted in the store",)
    assert memory.get("second").memory["tags"] == ["there"]
    agree(memory, folder, tmp_path)


def test_a_file_that_was_taken_away_comes_back_or_is_pruned(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    (folder / "memories" / "third.json").unlink()
    assert memory.sync(folder).restored == ("third",)
    agree(memory, folder, tmp_path)
    (folder / "memories" / "second.json").unlink()
    (folder / "memories" / "third.json").unlink()
    memory.update("second", {"tags": ["since"]})
    edit(folder, "first", relationships={})
    report = memory.sync(folder, prune=True)
    assert (report.deleted, report.restored) == (("third",), ("second",))
    agree(memory, folder, tmp_path)


def test_archive_pin_and_status_go_both_ways(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    memory.set_status("first", "stale", reason="the pool is gone")
    memory.archive("second")
    memory.pin("third")
    memory.sync(folder)
    agree(memory, folder, tmp_path)
    (folder / "archive" / "second.json").rename(folder / "memories" / "second.json")
    edit(folder, "first", status="active")
    (folder / "meta.json").write_text('{"memories": {"first": {"pinned": true}}}')
    report = memory.sync(folder)
    assert report.conflicts == ()
    meta = {name: memory.get(name).meta for name in ("first", "second", "third")}
    assert meta["first"].own_status == "active"
    assert meta["second"].archived_at is None
    assert (meta["first"].pinned, meta["third"].pinned) == (True, False)
    agree(memory, folder, tmp_path)


def test_labels_and_expectations_go_both_ways(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    memory.add_label("area:queue", description="jobs and workers")
    memory.expect("a lesson", ["first"])
    memory.sync(folder)
    agree(memory, folder, tmp_path)
    labels = json.loads((folder / "labels.json").read_text())
    labels["labels"]["area:queue"]["description"] = "jobs, workers and retries"
    labels["labels"]["area:new"] = {"description": "from the folder"}
    (folder / "labels.json").write_text(json.dumps(labels))
    (folder / "meta.json").write_text('{"memories": {}, "expectations": []}')
    memory.sync(folder)
    named = {entry.label: entry.description
             for group in memory.labels().groups for entry in group.labels}  # fmt: skip
    assert named["area:queue"] == "jobs, workers and retries"
    assert named["area:new"] == "from the folder"
    assert memory.expectations().expectations == ()
    agree(memory, folder, tmp_path)


def test_a_label_that_both_changed_is_a_conflict(memory: ProjectMemory, folder: Path) -> None:
    memory.describe_label("kind:bug", "as the store has it")
    labels = json.loads((folder / "labels.json").read_text())
    labels["labels"]["kind:bug"]["description"] = "as the folder has it"
    (folder / "labels.json").write_text(json.dumps(labels))
    report = memory.sync(folder)
    assert report.conflicts == (
        SyncConflict("labels.json", ("kind:bug",), "labels.conflict.json",
                     "changed on both sides"),
    )  # fmt: skip
    assert "as the folder has it" in (folder / "labels.conflict.json").read_text()
    assert "as the store has it" in (folder / "labels.json").read_text()


def test_without_the_last_agreement_nothing_is_lost(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    memory.update("first", {"tags": ["here"]})
    edit(folder, "second", pitfalls=["mind it"])
    folder = folder.rename(tmp_path / "moved")
    report = memory.sync(folder)
    assert load(folder, "first")["tags"] == ["here"]
    assert [(each.id, each.fields) for each in report.conflicts] == [("second", ("$.pitfalls",))]
    assert load(folder, "second.conflict")["pitfalls"] == ["mind it"]
    agree(memory, folder, tmp_path)


def test_a_dry_run_changes_neither_side(memory: ProjectMemory, folder: Path) -> None:
    memory.update("first", {"description": "the lesson as the store has it now"})
    edit(folder, "first", description="the lesson as the folder has it now")
    before, revision = files(folder), memory.stats().store.revision
    report = memory.sync(folder, dry_run=True)
    assert [each.id for each in report.conflicts] == ["first"]
    assert (files(folder), memory.stats().store.revision) == (before, revision)


def test_a_broken_folder_is_told_and_nothing_is_changed(
    memory: ProjectMemory, folder: Path
) -> None:
    (folder / "memories" / "first.json").write_text("<<<<<<< HEAD\n{}\n")
    before = files(folder)
    with pytest.raises(InvalidDocument) as error:
        memory.sync(folder)
    assert str(error.value) == (
        "memories/first.json:1: $: an unresolved merge marker; resolve the merge [merge-marker]"
    )
    assert files(folder) == before


def test_an_agent_s_sync_leaves_what_a_person_asserted_to_a_person(
    memory: ProjectMemory, folder: Path
) -> None:
    agent = memory.spoken_to_by(Speaker("bot", Role.WRITER))
    edit(folder, "first", pitfalls=["mind it"])
    held = load(folder, "first")
    report = agent.sync(folder)
    assert (report.waiting, report.taken) == (("first",), ())
    assert memory.get("first").memory["pitfalls"] == []
    assert load(folder, "first") == held
    assert [p.operations for p in memory.inbox().proposals] == [
        ({"op": "update", "id": "first", "patch": {"pitfalls": ["mind it"]}},)
    ]


def test_a_file_that_is_edited_meanwhile_is_not_written_over(
    memory: ProjectMemory, folder: Path, tmp_path: Path
) -> None:
    memory.update("first", {"tags": ["here"]})
    run = Run(folder, "here", prune=False)
    receipt = memory._commit("sync", run.apply)
    edit(folder, "first", pitfalls=["typed just now"])
    with memory._storage.read() as reader, pytest.raises(Conflict) as error:
        run.finish(reader, memory._project, receipt)
    assert str(error.value) == (
        "'memories/first.json' was changed meanwhile; the project has what was read before, and "
        "the folder is as it was: run the command again"
    )
    assert load(folder, "first")["pitfalls"] == ["typed just now"]
    assert memory.sync(folder).conflicts == ()
    assert memory.get("first").memory["pitfalls"] == ["typed just now"]
    agree(memory, folder, tmp_path)


@pytest.mark.parametrize("harsh", [False, True])
def test_two_stores_over_one_folder_come_to_agree(tmp_path: Path, harsh: bool) -> None:
    rng = random.Random(7)
    folder = tmp_path / "lessons"
    with opened() as one, opened() as two:
        for number in range(12):
            name = f"lesson-{number}"
            one.create(draft(id=name, description=f"the lesson with the name {name}",
                             remembered_facts=[f"fact of {name}"]))  # fmt: skip
        one.sync(folder)
        two.sync(folder)
        said: set[str] = set()
        for turn in range(15):
            for store in (one, two):
                for _ in range(rng.randint(0, 3)):
                    mark = f"{turn}-{int(store is two)}-{rng.random()}"
                    said |= change(store, rng, mark)
                    if harsh:
                        contend(store, rng, mark)
                store.sync(folder, prune=harsh)
        for store in (one, two, one):
            store.sync(folder, prune=harsh)
        agree(one, folder, tmp_path)
        agree(two, folder, tmp_path)
        assert one.validate().problems == two.validate().problems == ()
        everything = "\n".join(files(folder).values())
        lost = {mark for mark in said if mark not in everything}
        assert harsh or lost == set()
        twins = [name for name in files(folder) if ".conflict." in name]
        assert bool(twins) is harsh


def change(store: ProjectMemory, rng: random.Random, mark: str) -> set[str]:
    """Change something at random; return the words that must not be lost."""
    names = store.memory_ids()
    name, other = rng.choice(names), rng.choice(names)
    match rng.randrange(5):
        case 0:
            tags = [*store.get(name).memory["tags"], mark][-30:]
            store.update(name, {"tags": tags})
            return {mark} if len(tags) < 30 else set()
        case 1:
            pitfalls = [*store.get(name).memory["pitfalls"], mark]
            if len(pitfalls) <= 30:
                store.update(name, {"pitfalls": pitfalls})
                return {mark}
        case 2 if name != other:
            store.link(name, "related", other, link_reason=f"because of {mark}")
        case 3:
            store.pin(name)
        case 4 if not store.get(name).meta.archived_at:
            store.archive(name) if rng.random() < 0.2 else store.touch([name])
    return set()


def contend(store: ProjectMemory, rng: random.Random, mark: str) -> None:
    """Change what the other side changes too, or delete it."""
    name = rng.choice(store.memory_ids())
    if rng.random() < 0.1:
        store.delete(name)
    else:
        store.update(name, {"description": f"the lesson {name} as of {mark}"})
