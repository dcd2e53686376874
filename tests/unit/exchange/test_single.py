"""The single file: what is written, what is read, and what is said of a broken one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from factories import document, memory, revision

from project_memory import exchange, resources
from project_memory.errors import StorageError
from project_memory.exchange import single
from project_memory.model import (
    Authority,
    Label,
    LabelChange,
    MemoryChange,
    PrefixChange,
    Registry,
    Status,
)

REGISTRY = Registry({"kind:bug": Label("kind:bug", "a defect")}, frozenset({"kind"}))
HELD = memory(
    7,
    id="first",
    status="superseded",
    own_status=Status.STALE,
    version=4,
    links_version=2,
    asserted_by=Authority.AGENT,
    archived_at="2026-02-01T00:00:00Z",
    pinned=True,
    tier=3,
    tier_since="2026-01-15T00:00:00Z",
    declared={"related": {"second": "ada"}},
)
HISTORY = (
    revision(1, MemoryChange(None, HELD), LabelChange(None, Label("kind:bug", aliases=("a:b",)))),
    revision(2, PrefixChange("kind", False, True), reason="one each", undoes=1),
    revision(3, MemoryChange(HELD, None), LabelChange(Label("kind:bug"), None)),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    single.write(tmp_path / "all.json", single.value("demo", [HELD], REGISTRY, HISTORY))
    return tmp_path / "all.json"


def changed(path: Path, **fields: Any) -> Path:
    value = json.loads(path.read_text("utf-8")) | fields
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def said(path: Path) -> list[str]:
    return [
        f"{p.file}:{p.line} {p.path}: {p.message} [{p.code}]" for p in exchange.read(path).problems
    ]


def test_everything_written_is_read(path: Path) -> None:
    package = exchange.read(path)
    (incoming,) = package.memories
    assert incoming.document == HELD.document
    assert incoming.meta == {
        "own_status": "stale",
        "version": 4,
        "links_version": 2,
        "created_at": "2026-01-31T09:30:00Z",
        "updated_at": "2026-01-31T09:30:00Z",
        "author": "ada",
        "asserted_by": "agent",
        "archived_at": "2026-02-01T00:00:00Z",
        "pinned": True,
        "tier": 3,
        "tier_since": "2026-01-15T00:00:00Z",
        "declared": {"related": {"second": "ada"}},
    }
    assert (incoming.own_status, incoming.pinned, incoming.archived) == (Status.STALE, True, True)
    assert incoming.archived_at == "2026-02-01T00:00:00Z"
    assert (package.registry, package.problems) == (REGISTRY, ())
    assert package.history == HISTORY


def test_a_file_says_what_it_is(path: Path) -> None:
    value = json.loads(path.read_text("utf-8"))
    assert (value["format"], value["format_version"]) == ("project-memory-export", 1)
    schema = resources.schema("export")["properties"]
    assert (schema["format"]["const"], schema["format_version"]["const"]) == (
        single.FORMAT, single.FORMAT_VERSION
    )  # fmt: skip


def test_a_file_is_for_its_owner_only(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("name", "reason"), [("absent/all.json", "No such file or directory"), ("", "Is a directory")]
)
def test_a_place_that_cannot_be_written_is_named_and_left_clean(
    tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "there").mkdir()
    place = tmp_path / (name or "there")
    with pytest.raises(StorageError) as caught:
        single.write(place, single.value("demo", [HELD], REGISTRY, ()))
    assert str(caught.value) == f"cannot write '{place}' ({reason})"
    assert [p.name for p in tmp_path.iterdir()] == ["there"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "all.json:1 $: empty [bad-json]"),
        ("[]", "all.json:1 $.format: 'format' is not 'project-memory-export' [not-an-export]"),
        ("{}", "all.json:1 $.format: 'format' is not 'project-memory-export' [not-an-export]"),
        (
            '{"format": "project-memory-export", "format_version": 2}',
            "all.json:1 $.format_version: format_version 2 is not 1 [export-version]",
        ),
        (
            '{"format": "project-memory-export", "format_version": 1}',
            "all.json:1 $: 'project' and 'labels' and 'memories' are missing [schema-required]",
        ),
    ],
)
def test_a_file_that_is_no_export_is_named(tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / "all.json").write_text(content)
    assert said(tmp_path / "all.json") == [problem]


def test_what_stands_beside_a_document_is_checked(path: Path) -> None:
    value = json.loads(path.read_text("utf-8"))
    value["memories"][0]["meta"] |= {"version": 0, "asserted_by": "nobody", "pinned": "yes"}
    changed(path, memories=value["memories"])
    content = path.read_text("utf-8").splitlines()
    where = {
        name: 1 + next(n for n, line in enumerate(content) if line.startswith(f'    "{name}"'))
        for name in ("version", "asserted_by", "pinned")
    }
    assert sorted(said(path)) == sorted(
        [
            f"all.json:{where['version']} $.memories[0].meta.version: 0 is less than 1 "
            "[schema-minimum]",
            f"all.json:{where['asserted_by']} $.memories[0].meta.asserted_by: 'nobody' is not one "
            "of 'user', 'agent', 'import' [schema-enum]",
            f"all.json:{where['pinned']} $.memories[0].meta.pinned: 'yes' is not of type boolean "
            "[schema-type]",
        ]
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"subject": "moon"}, "'moon' is not one of 'memory', 'label', 'prefix', 'expectation'"),
        ({}, "'subject' is missing"),
        ({"subject": "prefix", "prefix": "a", "before": False}, "'after' is missing"),
    ],
)
def test_a_damaged_change_is_named(path: Path, change: dict[str, Any], message: str) -> None:
    value = json.loads(path.read_text("utf-8"))
    value["history"][0]["changes"] = [change]
    (problem,) = exchange.read(changed(path, history=value["history"])).problems
    assert problem.message == message
    assert problem.path.startswith("$.history[0].changes[0]")


@pytest.mark.parametrize("number", [2**53, 10**30, 1e300])
@pytest.mark.parametrize("field", ["version", "links_version", "tier"])
def test_a_number_that_no_store_can_hold_is_named(path: Path, field: str, number: float) -> None:
    value = json.loads(path.read_text("utf-8"))
    value["memories"][0]["meta"][field] = number
    (problem,) = exchange.read(changed(path, memories=value["memories"])).problems
    assert problem.path == f"$.memories[0].meta.{field}"
    assert problem.code == "schema-maximum"
    assert problem.message == f"{number} is more than 9007199254740991"


@pytest.mark.parametrize("place", ["number", "undoes"])
def test_a_revision_number_that_no_store_can_hold_is_named(path: Path, place: str) -> None:
    value = json.loads(path.read_text("utf-8"))
    value["history"][0][place] = 10**30
    (problem,) = exchange.read(changed(path, history=value["history"])).problems
    assert (problem.path, problem.code) == (f"$.history[0].{place}", "schema-maximum")


@pytest.mark.parametrize("place", ["key", "version", "links_version", "tier"])
def test_a_number_in_a_change_that_no_store_can_hold_is_named(path: Path, place: str) -> None:
    value = json.loads(path.read_text("utf-8"))
    value["history"][0]["changes"][0]["after"][place] = 10**30
    (problem,) = exchange.read(changed(path, history=value["history"])).problems
    assert problem.path == f"$.history[0].changes[0].after.{place}"
    assert problem.code == "schema-maximum"


def test_half_a_surrogate_pair_is_found_anywhere(path: Path) -> None:
    changed(path, project="half \ud800")
    (problem,) = exchange.read(path).problems
    assert (problem.code, problem.path, problem.line) == ("lone-surrogate", "$.project", 4)


def test_documents_are_put_right_and_every_repair_names_its_memory(path: Path) -> None:
    value = json.loads(path.read_text("utf-8"))
    value["memories"][0]["document"] = document(id="first", tags=["e\u0301"])
    package = exchange.read(changed(path, memories=value["memories"]))
    assert package.memories[0].document["tags"] == ["é"]
    assert package.repairs == ("first: text was not in NFC; composed",)


def test_a_line_is_that_of_the_document_in_the_file(path: Path) -> None:
    (incoming,) = exchange.read(path).memories
    lines = path.read_text("utf-8").splitlines()
    assert '"description"' in lines[incoming.locate("$.description") - 1]
    assert '"last_validated"' in lines[incoming.locate("$.evidence.last_validated") - 1]


def test_faults_of_the_registry_stand_under_labels(path: Path) -> None:
    labels = {"schema_version": 1, "labels": {"a:b": {"broader": "a:c"}}}
    (problem,) = exchange.read(changed(path, labels=labels)).problems
    assert (problem.path, problem.code) == ("$.labels.labels.a:b", "bad-label")


def test_an_export_may_be_larger_than_any_document(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(" " * (65 * 1024 * 1024))
    assert [incoming.document["id"] for incoming in exchange.read(path).memories] == ["first"]
