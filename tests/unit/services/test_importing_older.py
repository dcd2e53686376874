"""An old export never puts old text in the place of newer text, unless asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.documents import to_text
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
REASON = "both fail when two writers meet"


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture(params=["inmemory://", "sqlite"])
def memory(request, tmp_path_factory) -> Iterator[ProjectMemory]:
    place = request.param
    url = place if "://" in place else str(tmp_path_factory.mktemp("store") / "store.db")
    with ProjectMemory.open(url, project="demo", actor=ADA, create=True, clock=Clock()) as opened:
        for name in ("first", "second", "third"):
            opened.create(draft(id=name, description=f"the lesson that is called {name} here"))
        yield opened


def text(memory: ProjectMemory, name: str) -> str:
    return to_text(memory.get(name).memory)


def exported(memory: ProjectMemory, path: Path, form: str) -> Path:
    if form == "file":
        memory.export_file(path / "all.json")
        return path / "all.json"
    memory.export_directory(path / "folder")
    return path / "folder"


@pytest.mark.parametrize("form", ["file", "folder"])
def test_an_old_export_changes_nothing_that_was_edited_since(
    memory: ProjectMemory, tmp_path: Path, form: str
) -> None:
    old = exported(memory, tmp_path, form)
    memory.update("first", {"pitfalls": ["what was learned since"]})
    memory.update("first", {"tags": ["learned"]})
    newer = text(memory, "first")
    report = memory.import_path(old)
    assert (report.kept, report.updated, report.unchanged) == (("first",), (), 2)
    assert text(memory, "first") == newer
    assert report.receipt.notes == ("nothing changed",)


@pytest.mark.parametrize("form", ["file", "folder"])
def test_an_old_export_is_taken_when_asked(
    memory: ProjectMemory, tmp_path: Path, form: str
) -> None:
    old = exported(memory, tmp_path, form)
    older = text(memory, "first")
    memory.update("first", {"pitfalls": ["what was learned since"]})
    report = memory.import_path(old, take_older=True)
    assert (report.kept, report.updated) == ((), ("first",))
    assert text(memory, "first") == older


def test_a_file_that_was_edited_by_hand_is_taken(memory: ProjectMemory, tmp_path: Path) -> None:
    old = exported(memory, tmp_path, "folder")
    memory.update("first", {"pitfalls": ["what was learned since"]})
    file = old / "memories/first.json"
    document = json.loads(file.read_text())
    file.write_text(json.dumps({**document, "triggers": ["written by hand"]}))
    report = memory.import_path(old)
    assert (report.kept, report.updated) == ((), ("first",))
    assert memory.get("first").memory["triggers"] == ["written by hand"]


def test_a_link_that_was_removed_since_stays_removed(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.link("first", "related", "second", link_reason=REASON)
    old = exported(memory, tmp_path, "folder")
    memory.unlink("first", "related", "second")
    report = memory.import_path(old)
    assert report.kept == ("first", "second")
    assert memory.get("first").memory["relationships"]["related"] == []


def test_what_was_revived_or_renamed_since_stays_so(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.add_label("area:web")
    memory.update("third", {"labels": ["area:web"]})
    memory.set_status("first", "stale", reason="the driver changed")
    old = exported(memory, tmp_path, "folder")
    memory.set_status("first", "active")
    memory.rename("second", "premier")
    memory.update("premier", {"tags": ["since"]})
    memory.rename_label("area:web", "area:browser")
    memory.update("third", {"tags": ["since"]})
    before = {name: text(memory, name) for name in ("first", "premier", "third")}
    report = memory.import_path(old)
    assert report.kept == ("first", "premier", "third")
    assert {name: text(memory, name) for name in before} == before


def test_another_store_says_when_it_edited(memory: ProjectMemory, tmp_path: Path) -> None:
    started = exported(memory, tmp_path, "file")
    clock = Clock()
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=clock
    ) as other:
        other.import_path(started)
        clock.now += timedelta(days=1)
        other.update("first", {"tags": ["edited there, earlier"]})
        memory._clock.now += timedelta(days=2)
        memory.update("first", {"tags": ["edited here, later"]})
        memory.update("second", {"tags": ["edited here, earlier"]})
        clock.now += timedelta(days=5)
        other.update("second", {"tags": ["edited there, later"]})
        theirs = exported(other, tmp_path, "file")
    report = memory.import_path(theirs)
    assert (report.kept, report.updated) == (("first",), ("second",))
    assert memory.get("first").memory["tags"] == ["edited here, later"]
    assert memory.get("second").memory["tags"] == ["edited there, later"]
