"""What an import makes of labels that mean something else, or nothing any more, here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)


def opened() -> ProjectMemory:
    return ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True)


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with opened() as project:
        for name in ("area:web", "area:auth"):
            project.add_label(name)
        yield project


def exported(folder: Path, *names: str, single: str | None = None) -> Path:
    with opened() as other:
        for name in ("area:web", "area:auth"):
            other.add_label(name)
        other.create(draft(id="from-there", labels=[*names]))
        if single:
            other.set_single(single)
        other.export_directory(folder)
    return folder


def test_a_prefix_becomes_single_where_no_memory_breaks_it(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.import_path(exported(tmp_path, "area:web", single="area"))
    assert [g.prefix for g in memory.labels().groups if g.single] == ["area"]


def test_a_prefix_of_which_memories_carry_several_stays_as_it_is(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    text = "a lesson that carries several areas here"
    memory.create(draft(id="from-here", description=text, labels=["area:web", "area:auth"]))
    report = memory.import_path(exported(tmp_path, "area:web", single="area"))
    assert report.repairs == (
        "prefix 'area' allows one label a memory there; memories here carry several",
    )
    assert [g.prefix for g in memory.labels().groups if g.single] == []
    assert memory.validate().problems == ()


def test_a_document_gets_what_replaces_its_label_here(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    folder = exported(tmp_path, "area:auth", "kind:bug")
    memory.deprecate_label("area:auth", replacement="area:web")
    memory.deprecate_label("kind:bug")
    memory.import_path(folder)
    assert memory.get("from-there").memory["labels"] == ["area:web", "kind:bug"]


def test_a_deprecated_label_travels_with_what_replaces_it(tmp_path: Path) -> None:
    with opened() as there:
        there.add_label("area:web")
        there.add_label("area:auth")
        there.deprecate_label("area:auth", replacement="area:web")
        there.export_directory(tmp_path / "folder")
        there.export_file(tmp_path / "all.json")
    for name in ("folder", "all.json"):
        with opened() as here:
            here.import_path(tmp_path / name)
            (entry,) = [
                label
                for group in here.labels().groups
                for label in group.labels
                if label.label == "area:auth"
            ]
            assert (entry.deprecated, entry.replaced_by) == (True, "area:web")
