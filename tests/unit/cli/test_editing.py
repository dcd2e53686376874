"""From what a person typed to a merge patch."""

from __future__ import annotations

import json
from typing import Any

import pytest

from project_memory.cli.editing import merged, patched, set_fields
from project_memory.errors import InvalidInput

BEFORE: dict[str, Any] = {
    "id": "a",
    "description": "one",
    "tags": ["x"],
    "scope": {"project": "demo", "area": "storage"},
    "relationships": {"related": [{"id": "b", "reason": "both wait"}], "supersedes": ["c"]},
}


@pytest.mark.parametrize(
    ("change", "patch"),
    [
        ({}, {}),
        ({"description": "two"}, {"description": "two"}),
        ({"tags": []}, {"tags": []}),
        ({"scope": {"project": "demo"}}, {"scope": {"area": None}}),
        ({"scope": {"project": "demo", "area": "cli"}}, {"scope": {"area": "cli"}}),
        ({"pitfalls": ["p"]}, {"pitfalls": ["p"]}),
        ({"relationships": {**BEFORE["relationships"], "supersedes": ["c", "d"]}},
         {"relationships": {"supersedes": ["c", "d"]}}),
    ],
)  # fmt: skip
def test_the_patch_says_what_was_changed(change: dict[str, Any], patch: dict[str, Any]) -> None:
    assert patched(BEFORE, json.dumps({**BEFORE, **change})) == patch


def test_a_removed_field_is_null() -> None:
    edited = {k: v for k, v in BEFORE.items() if k != "tags"}
    assert patched(BEFORE, json.dumps(edited)) == {"tags": None}


@pytest.mark.parametrize(
    ("options", "patch"),
    [
        (['description="two"'], {"description": "two"}),
        (["tags=null"], {"tags": None}),
        (["scope.area=null", 'scope.files=["a"]'], {"scope": {"area": None, "files": ["a"]}}),
        (["a=1", "a.b=2"], {"a": {"b": 2}}),
        (['a="x=y"'], {"a": "x=y"}),
    ],
)
def test_fields_make_one_patch(options: list[str], patch: dict[str, Any]) -> None:
    assert set_fields(options) == patch


def test_later_patches_win() -> None:
    first = {"a": {"b": 1, "c": 2}, "d": 3}
    assert merged(first, {"a": {"b": 4}, "d": None}) == {"a": {"b": 4, "c": 2}, "d": None}
    assert first == {"a": {"b": 1, "c": 2}, "d": 3}


@pytest.mark.parametrize("patch", [[], "text", None, 1])
def test_a_patch_is_an_object(patch: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        merged(patch, {})
    assert str(refused.value) == 'a patch is a JSON object; write {"FIELD": ...}'
