"""What follows from a fault is not reported beside it: one fault, one problem."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import document

from project_memory.services.validate import validate_directory

REASON = "both were met in the same outage"
NAMES = ("lake", "moor", "reef", "wood")


def linked(name: str, **fields: Any) -> dict[str, Any]:
    """Return one of four documents that all link to each other."""
    others = [{"id": other, "reason": REASON} for other in NAMES if other != name]
    links = {"related": others} | fields.pop("links", {})
    return document(**{"id": name, "relationships": links} | fields)


def problems(folder: Path, **changed: Any) -> list[tuple[str, str, str]]:
    """Return (file, code, path) of what is found when some of the four files are changed.

    A string is taken as the text of a file, None leaves it out.
    """
    (folder / "memories").mkdir()
    for name in NAMES:
        value = changed.get(name, linked(name))
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value)
            (folder / "memories" / f"{name}.json").write_text(text)
    found = validate_directory(folder).problems
    return [(p.file or "", p.code, p.path) for p in found]


def test_four_sound_documents_have_no_problem(tmp_path: Path) -> None:
    assert problems(tmp_path) == []


@pytest.mark.parametrize(
    ("broken", "code", "path"),
    [
        ('{"id": "moor",', "bad-json", "$"),
        ("[]", "not-an-object", "$"),
        (linked("moor", id="Moor"), "schema-pattern", "$.id"),
        (linked("moor", id=5), "schema-type", "$.id"),
        (linked("moor", id="another-name"), "name-mismatch", "$.id"),
        (linked("moor", id="reef"), "duplicate-id", "$.id"),
        (linked("moor", status="fresh"), "schema-enum", "$.status"),
        (document(id="moor") | {"relationships": []}, "schema-type", "$.relationships"),
        (linked("moor", links={"related": 1}), "schema-type", "$.relationships.related"),
        (linked("moor", tags=["a\ud800b"]), "lone-surrogate", "$.tags[0]"),
    ],
)
def test_links_to_a_document_that_cannot_be_relied_on_are_left_alone(
    tmp_path: Path, broken: Any, code: str, path: str
) -> None:
    assert problems(tmp_path, moor=broken) == [("memories/moor.json", code, path)]


def test_a_document_without_an_id_is_known_by_its_file(tmp_path: Path) -> None:
    nameless = linked("moor")
    del nameless["id"]
    assert problems(tmp_path, moor=nameless) == [("memories/moor.json", "schema-required", "$")]


def test_a_copy_is_the_one_that_is_not_named_after_the_id(tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    for file, name in (("a-copy", "lake"), ("lake", "lake")):
        text = json.dumps(document(id=name))
        (tmp_path / "memories" / f"{file}.json").write_text(text)
    (found,) = validate_directory(tmp_path).problems
    assert (found.file, found.code) == ("memories/a-copy.json", "duplicate-id")
    assert found.message == "id 'lake' is also in 'memories/lake.json'"


def test_of_two_ids_that_differ_in_case_the_one_with_capitals_is_told(tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    for name in ("Lake", "lake"):
        (tmp_path / "memories" / f"{name}.json").write_text(json.dumps(document(id=name)))
    (found,) = validate_directory(tmp_path).problems
    assert (found.file, found.code) == ("memories/Lake.json", "case-twin")
    assert found.message == "id 'Lake' differs only in case from 'lake'"


def test_an_oversize_document_is_not_searched_for_secrets(tmp_path: Path) -> None:
    huge = linked(
        "moor", triggers=["the password is in the vault " * 60] * 32, pitfalls=["y" * 2000] * 8
    )
    huge["solution_pattern"] = ["password: hunter2-Zq8!xK"]
    assert problems(tmp_path, moor=huge) == [("memories/moor.json", "oversize", "$")]


def test_every_link_to_a_missing_file_is_told(tmp_path: Path) -> None:
    files = ("memories/lake.json", "memories/reef.json", "memories/wood.json")
    assert problems(tmp_path, moor=None) == [
        (file, "dangling-link", f"$.relationships.related[{place}]")
        for file, place in zip(files, (0, 1, 1), strict=True)
    ]


def test_labels_are_looked_up_where_links_are_broken(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text('{"schema_version": 1, "labels": {"kind:bug": {}}}')
    broken = linked("moor", links={"related": 1}, labels=["kind:bugg"])
    assert problems(tmp_path, moor=broken) == [
        ("memories/moor.json", "unknown-label", "$.labels[0]"),
        ("memories/moor.json", "schema-type", "$.relationships.related"),
    ]


@pytest.mark.parametrize(
    ("links", "code"),
    [
        ({"superseded_by": ["gone"]}, "dangling-link"),
        ({"superseded_by": ["moor"]}, "missing-mirror"),
        ({"superseded_by": ["lake"]}, "self-link"),
    ],
)
@pytest.mark.parametrize("status", ["active", "superseded"])
def test_a_broken_link_to_a_successor_leaves_the_status_open(
    tmp_path: Path, links: dict[str, Any], code: str, status: str
) -> None:
    old = linked("lake", status=status, links=links)
    found = problems(tmp_path, lake=old)
    assert found == [("memories/lake.json", code, "$.relationships.superseded_by[0]")]


def test_a_successor_that_the_old_one_does_not_know_is_told_once(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        lake=linked("lake", status="superseded"),
        moor=linked("moor", links={"supersedes": ["lake"]}),
    )
    path = "$.relationships.supersedes[0]"
    assert found == [("memories/moor.json", "missing-mirror", path)]


@pytest.mark.parametrize("status", ["active", "superseded"])
def test_in_a_cycle_of_successors_the_cycle_is_the_problem(tmp_path: Path, status: str) -> None:
    pair = {
        one: linked(
            one, status=status, links={"supersedes": [other], "superseded_by": [other]}
        )
        for one, other in (("lake", "moor"), ("moor", "lake"))
    }  # fmt: skip
    assert problems(tmp_path, **pair) == [
        ("memories/lake.json", "cycle", "$.relationships.supersedes")
    ]


def test_facts_are_judged_on_the_day_of_the_check(tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    fact = {"fact": "the mirror is down", "expires": "2026-01-31"}
    text = json.dumps(document(id="lake", remembered_facts=[fact]), indent=1)
    (tmp_path / "memories" / "lake.json").write_text(text)

    def found(day: int, month: int) -> list[tuple[str, str, int | None]]:
        moment = datetime(2026, month, day, tzinfo=UTC)
        report = validate_directory(tmp_path, clock=lambda: moment)
        assert report.ok
        return [(p.code, p.path, p.line) for p in report.problems]

    assert found(31, 1) == []
    line = text[: text.index('"expires"')].count("\n") + 1
    assert found(1, 2) == [("expired-fact", "$.remembered_facts[0].expires", line)]
