"""The verdict over a directory, an export file or a project of a store."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import document, draft
from hypothesis import given, settings
from hypothesis import strategies as st

from project_memory.app import ProjectMemory, validate_directory, validate_staged
from project_memory.errors import NotFound
from project_memory.model import Actor, Authority, as_json
from project_memory.services.validate import Report

ADA = Actor("ada", Authority.USER)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


def write(folder: Path, *held: dict[str, Any], **labels: dict[str, Any]) -> Path:
    (folder / "memories").mkdir(parents=True, exist_ok=True)
    for number, each in enumerate(held):
        name = each["id"] if isinstance(each.get("id"), str) else f"file-{number}"
        (folder / "memories" / f"{name}.json").write_text(json.dumps(each, indent=2))
    if labels:
        named = {name.replace("_", ":"): entry for name, entry in labels.items()}
        (folder / "labels.json").write_text(json.dumps({"schema_version": 1, "labels": named}))
    return folder


def said(report: Report) -> list[str]:
    return [
        f"{p.severity} {p.file}:{p.line} {p.memory} {p.path}: {p.message}; {p.fix} [{p.code}]"
        for p in report.problems
    ]


def test_a_sound_directory_is_ok(tmp_path: Path) -> None:
    report = validate_directory(write(tmp_path, document(), kind_bug={}))
    assert report == Report(str(tmp_path), 1, ok=True, problems=())


def test_an_empty_directory_is_ok_and_says_that_it_holds_nothing(tmp_path: Path) -> None:
    assert validate_directory(tmp_path) == Report(str(tmp_path), 0, ok=True, problems=())


def test_warnings_alone_are_ok(tmp_path: Path) -> None:
    folder = write(
        tmp_path, document(labels=["kind:defect"]), kind_bug={"aliases": ["kind:defect"]}
    )
    report = validate_directory(folder)
    assert said(report) == [
        "warning memories/sqlite-locked.json:7 sqlite-locked $.labels[0]: 'kind:defect' is an "
        "alias; write 'kind:bug' [alias-label]"
    ]
    assert report.ok


def test_an_unregistered_label_names_the_nearest(tmp_path: Path) -> None:
    report = validate_directory(write(tmp_path, document(labels=["kind:bugs"]), kind_bug={}))
    assert said(report) == [
        "error memories/sqlite-locked.json:7 sqlite-locked $.labels[0]: label 'kind:bugs' is not "
        "registered; use 'kind:bug', or register it [unknown-label]"
    ]
    assert not report.ok


def test_labels_are_not_looked_up_without_a_registry(tmp_path: Path) -> None:
    assert validate_directory(write(tmp_path, document(labels=["any:label"]))).ok


def test_a_secret_is_named_and_never_repeated(tmp_path: Path) -> None:
    leaky = document(
        pitfalls=[f"use {TOKEN} there"], scope={"project": "x", "files": [f"/{TOKEN}"]}
    )
    report = validate_directory(write(tmp_path, leaky))
    assert [(p.code, p.path) for p in report.problems] == [
        ("secret", "$.scope.files[0]"), ("secret", "$.pitfalls[0]")
    ]  # fmt: skip
    assert TOKEN not in json.dumps(as_json(report))


def test_problems_stand_in_one_order_whatever_was_read_first(tmp_path: Path) -> None:
    broken = [document(id=f"doc-{n}", status="new", tags=["", 7]) for n in range(5)]
    first = validate_directory(write(tmp_path / "one", *broken))
    second = validate_directory(write(tmp_path / "two", *reversed(broken)))
    assert first.problems == second.problems
    assert [p.file for p in first.problems] == sorted(str(p.file) for p in first.problems)


def test_an_export_file_is_validated_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as memory:
        memory.create(draft(id="first"))
        memory.export_file(path)
    assert validate_directory(path) == Report(str(path), 1, ok=True, problems=())
    path.write_text(path.read_text("utf-8").replace('"status": "active"', '"status": "new"', 1))
    (problem,) = validate_directory(path).problems
    line = 1 + path.read_text("utf-8").splitlines().index('    "status": "new",')
    assert (problem.code, problem.memory, problem.line) == ("schema-enum", "first", line)


def test_one_document_by_itself_is_validated_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "lesson.json"
    path.write_text(json.dumps(document(status="new", tags=["", 7]), indent=2))
    assert said(validate_directory(path)) == [
        "error lesson.json:4 sqlite-locked $.status: 'new' is not one of 'active', 'stale', "
        "'superseded', 'wrong'; None [schema-enum]",
        "error lesson.json:11 sqlite-locked $.tags[1]: 7 is not of type string; None "
        "[schema-type]",
    ]


def test_of_one_document_its_neighbours_are_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "lesson.json"
    links = {"superseded_by": ["elsewhere"], "depends_on": [{"id": "sqlite-locked"}]}
    lone = document(status="superseded", labels=["any:label"], relationships=links)
    path.write_text(json.dumps(lone, indent=2))
    assert said(validate_directory(path)) == [
        "error lesson.json:34 sqlite-locked $.relationships.depends_on[0]: 'sqlite-locked' "
        "depends_on 'sqlite-locked': a memory cannot link to itself; remove the link [self-link]"
    ]


@pytest.mark.parametrize("content", ["{}", "[]", '{"format": "other", "id": "a-b"}', '{"x": 1}'])
def test_what_is_neither_export_nor_memory_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "lesson.json"
    path.write_text(content)
    (problem,) = validate_directory(path).problems
    assert (problem.code, problem.file, problem.line) == ("not-an-export", "lesson.json", 1)
    assert problem.fix == "name a file that `project-memory export` wrote, or a directory"


def test_what_is_nowhere_is_named_with_what_could_be_meant(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        validate_directory(tmp_path / "absent")
    assert str(caught.value) == (
        f"nothing at '{tmp_path}/absent'; name a folder or file that `project-memory export` "
        "wrote, a file of one memory, or a store"
    )


def test_a_file_in_conflict_is_a_problem_and_its_memory_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from project_memory.checkout.staged import Staged

    links = {"depends_on": [{"id": "other-one"}]}
    held = {"memories/sqlite-locked.json": json.dumps(document(relationships=links)).encode()}
    found = Staged(held, frozenset(), frozenset({"memories/other-one.json"}))
    monkeypatch.setattr("project_memory.checkout.staged.staged", lambda *_: found)
    assert said(validate_staged(tmp_path)) == [
        "error memories/other-one.json:None None $: a merge left the file in conflict; resolve "
        "the conflict, then `git add` the file [unmerged]"
    ]


def test_a_store_that_curation_kept_is_ok() -> None:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: NOW
    ) as memory:
        memory.create(draft(id="first", description="the first lesson of this project"))
        memory.create(draft(id="second", description="the second lesson of this project"))
        memory.link("second", "supersedes", "first")
        assert memory.validate() == Report("demo", 2, ok=True, problems=())


def test_a_store_names_its_project_in_every_problem(tmp_path: Path) -> None:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: NOW
    ) as memory:
        memory.import_path(write(tmp_path, document(triggers=["x" * 2001])))
        report = memory.validate()
    assert [(p.project, p.memory, p.path, p.code) for p in report.problems] == [
        ("demo", "sqlite-locked", "$.triggers[0]", "schema-max-length")
    ]
    assert report.ok


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"id": "a\nb-c"}, ["schema-pattern"]),
        ({"id": "x" * 300}, ["schema-max-length"]),
        ({"id": []}, ["schema-type"]),
        ({"description": "a NUL \0 in the middle of it"}, ["control-character"]),
        ({"description": "half a pair \udfff is in here"}, ["lone-surrogate"]),
        ({"description": ""}, ["blank-string"]),
        ({"labels": "kind:bug"}, ["schema-type"]),
        ({"labels": [["kind:bug"]]}, ["schema-type"]),
        ({"labels": {"kind:bug": 1}}, ["schema-type"]),
        ({"status": ["active"]}, ["schema-enum"]),
        ({"status": {}}, ["schema-enum"]),
        ({"relationships": {"related": "abc"}}, ["schema-type"]),
        ({"relationships": {"supersedes": [None]}}, ["schema-type"]),
        ({"remembered_facts": {"a": 1}}, ["schema-type"]),
        ({"evidence": None}, ["schema-type"]),
        ({"scope": []}, ["schema-type"]),
        ({"descriptoin": "x"}, ["unknown-field"]),
        ({"triggers": ["y" * 2_000_000]}, ["oversize", "schema-max-length"]),
    ],
    ids=lambda value: str(value)[:30].encode("ascii", "replace").decode(),
)
def test_hostile_documents_are_problems_and_no_crash(
    tmp_path: Path, fields: dict[str, Any], codes: list[str]
) -> None:
    value = document(**fields)
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories" / "sqlite-locked.json").write_text(json.dumps(value))
    found = {p.code for p in validate_directory(tmp_path).problems} - {"name-mismatch"}
    assert sorted(found) == codes


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(), max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(sorted(document())), JSON), max_size=3), JSON)
def test_any_json_gets_a_verdict_that_can_be_written(
    changes: list[tuple[str, Any]], other: Any
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "memories"
        folder.mkdir()
        (folder / "sqlite-locked.json").write_text(json.dumps(document() | dict(changes)))
        (folder / "other.json").write_text(json.dumps(other))
        report = validate_directory(Path(name))
        text = json.dumps(as_json(report), ensure_ascii=False).encode()
    assert len(text) < 20_000
    if report.ok:
        assert report.checked == 2
