"""The schemas themselves, and that every export satisfies its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from factories import draft
from jsonschema import Draft202012Validator

from project_memory import documents, relations, resources, validation
from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority, Status

ADA = Actor("ada", Authority.USER)


@pytest.mark.parametrize("name", resources.schema_names())
def test_a_schema_is_valid_draft_2020_12(name: str) -> None:
    schema = resources.schema(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", ["draft", "memory", "labels", "meta", "export", "parts"])
def test_a_schema_refers_to_nothing_outside_this_project(name: str) -> None:
    references = _references(resources.schema(name))
    assert [r for r in references if not r.startswith(("#/$defs/", "urn:project-memory:"))] == []


def test_the_schema_knows_every_field_in_canonical_order() -> None:
    for name in ("memory", "draft"):
        assert tuple(resources.schema(name)["properties"]) == documents.FIELDS


def test_the_schema_knows_every_kind_of_link_and_status() -> None:
    parts = resources.schema("parts")["$defs"]
    assert tuple(parts["relationships"]["properties"]) == documents.RELATION_FIELDS
    assert set(parts["relationships"]["properties"]) == set(relations.KINDS)
    assert parts["status"]["enum"] == list(Status)


@pytest.mark.parametrize(
    ("part", "limits"),
    [
        ("id", {"minLength": 3, "maxLength": 80}),
        ("description", {"minLength": 20, "maxLength": 500}),
        ("labels", {"minItems": 1, "maxItems": 24, "uniqueItems": True}),
        ("tags", {"maxItems": 32, "uniqueItems": True}),
        ("texts", {"maxItems": 32}),
        ("facts", {"minItems": 1, "maxItems": 64}),
        ("checks", {"maxItems": 16}),
    ],
)
def test_the_limits_are_those_of_the_format(part: str, limits: dict[str, Any]) -> None:
    schema = resources.schema("parts")["$defs"][part]
    assert {name: schema[name] for name in limits} == limits


@pytest.mark.parametrize("with_history", [True, False])
def test_an_export_satisfies_its_schema(tmp_path: Path, with_history: bool) -> None:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as memory:
        for name in ("first", "second", "third"):
            memory.create(draft(id=name, description=f"the lesson that is called {name}"))
        memory.link("first", "related", "second", link_reason="both fail when writers meet")
        memory.link("third", "supersedes", "second")
        memory.add_label("area:sea", description="ships")
        memory.archive("first")
        memory.pin("third")
        memory.rename("third", "fourth")
        memory.delete("second")
        memory.undo()
        memory.export_file(tmp_path / "all.json", with_history=with_history)
    value = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert validation.check_form(value, "export") == []
    assert bool(value["history"]) is with_history


@pytest.mark.parametrize(
    ("path", "broken", "message"),
    [
        ("memories", {}, "{} is not of type array"),
        ("project", "", "the text is blank"),
        ("labels", {"schema_version": 1}, "'labels' is missing"),
        ("history", [{}], "'number' and 'actor' and 'operation' and 'time' and 'changes' are "
                          "missing"),
    ],
)  # fmt: skip
def test_a_damaged_export_does_not(path: str, broken: Any, message: str) -> None:
    value: dict[str, Any] = {
        "format": "project-memory-export",
        "format_version": 1,
        "project": "demo",
        "labels": {"schema_version": 1, "labels": {}},
        "memories": [],
        "history": [],
    }
    assert validation.check_form(value, "export") == []
    (problem,) = validation.check_form(value | {path: broken}, "export")
    assert problem.message == message


def _references(value: Any) -> list[str]:
    match value:
        case {"$ref": str(reference)}:
            return [reference]
        case dict():
            return [ref for item in value.values() for ref in _references(item)]
        case list():
            return [ref for item in value for ref in _references(item)]
    return []
