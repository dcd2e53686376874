"""What is put right in documents of older tools, and what is left alone."""

from __future__ import annotations

from typing import Any

import pytest
from factories import document

from project_memory import documents
from project_memory.exchange import repair


def test_a_canonical_document_comes_back_as_it_is() -> None:
    assert repair.normalised(document()) == (document(), [])


@pytest.mark.parametrize(
    ("fields", "repaired", "sentences"),
    [
        ({"tags": ["e\u0301"]}, {"tags": ["é"]}, ["text was not in NFC; composed"]),
        ({"tags": [" a "]}, {"tags": ["a"]}, ["blanks around text were taken off"]),
        ({"id": "abc\n"}, {"id": "abc"}, ["blanks around text were taken off"]),
        (
            {"labels": ["status:open", "kind:bug"]},
            {"labels": ["xstatus:open", "kind:bug"]},
            ["label 'status:open' has a reserved prefix; taken as 'xstatus:open'"],
        ),
        (
            {"scope": {"project": "demo", "area": "", "reach": None}},
            {"scope": {"project": "demo"}},
            ["scope.area was blank; left out", "scope.reach was blank; left out"],
        ),
        ({"tags": ["a", ""]}, {"tags": ["a"]}, ["a blank entry of tags was left out"]),
        (
            {"scope": {"project": "demo", "files": ["", "a\\b"]}},
            {"scope": {"project": "demo", "files": ["a/b"]}},
            [
                "a blank entry of scope.files was left out",
                "path 'a\\b' was written with backslashes; turned",
            ],
        ),
        (
            {"remembered_facts": [{"fact": "a", "key": ""}]},
            {"remembered_facts": [{"fact": "a"}]},
            ["a fact's key was blank; left out"],
        ),
        (
            {"relationships": {"depends_on": [{"id": "abc", "reason": ""}]}},
            {"relationships": {"depends_on": [{"id": "abc"}]}},
            ["depends_on.reason was blank; left out"],
        ),
    ],
)
def test_what_can_be_put_right_is_and_is_reported(
    fields: dict[str, Any], repaired: dict[str, Any], sentences: list[str]
) -> None:
    assert repair.normalised(document(**fields)) == (document(**repaired), sentences)


def test_a_blank_status_reason_is_left_out() -> None:
    assert repair.normalised(document(status_reason=" ")) == (
        document(),
        ["blanks around text were taken off", "status_reason was blank; left out"],
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"labels": "kind:bug"},
        {"labels": [7]},
        {"scope": ["demo"]},
        {"tags": {"a": 1}},
        {"relationships": {"related": ["x"], "depends_on": 7, "odd": [1]}},
        {"remembered_facts": 7},
        {"evidence": {"related_doc": 7}},
        {"id": "\ud800"},
    ],
)
def test_a_wrong_shape_comes_back_as_it_is(fields: dict[str, Any]) -> None:
    assert repair.normalised(document(**fields)) == (document(**fields), [])


def test_nesting_too_deep_to_walk_comes_back_as_it_is() -> None:
    deep: Any = "a"
    for _ in range(5000):
        deep = [deep]
    taken, repairs = repair.normalised({"id": "deep-one", "tags": deep})
    assert taken["id"] == "deep-one"
    assert repairs == []


def test_the_document_given_is_never_changed() -> None:
    given = document(scope={"project": "demo", "area": "", "files": ["a\\b"]}, tags=[""])
    repair.normalised(given)
    assert given == document(scope={"project": "demo", "area": "", "files": ["a\\b"]}, tags=[""])


def test_a_sound_document_is_known_as_it_is_read() -> None:
    held = document(tags=["é"])
    assert repair.is_sound(held, documents.to_text(held))


@pytest.mark.parametrize(
    "fields",
    [
        {"tags": ["e\u0301"]},
        {"labels": ["status:open"]},
        {"status": "new"},
        {"triggers": ["x" * 2000] * 32 + ["y" * 2000]},
        {"id": "\ud800"},
    ],
)
def test_anything_else_is_looked_at_closer(fields: dict[str, Any]) -> None:
    held = document(**fields)
    assert not repair.is_sound(held, documents.to_text(held))


@pytest.mark.parametrize(
    ("fields", "path", "place"),
    [
        ({"tags": ["", "a", " ", "b"]}, "$.tags[1]", "$.tags[3]"),
        ({"tags": ["", "a"]}, "$.tags", "$.tags"),
        ({"tags": ["a", "b"]}, "$.tags[1]", "$.tags[1]"),
        ({"tags": ["", "a"], "pitfalls": ["x"]}, "$.pitfalls[0]", "$.pitfalls[0]"),
        ({"scope": {"project": "x", "files": ["", "a"]}}, "$.scope.files[0]", "$.scope.files[1]"),
        ({"tags": ["", 7]}, "$.tags[0]", "$.tags[1]"),
    ],
)
def test_a_value_is_found_in_the_file_behind_blanks_that_were_left_out(
    fields: dict[str, Any], path: str, place: str
) -> None:
    read = document(**fields)
    assert repair.path_in_file(read, repair.normalised(read)[0], path) == place


def test_a_document_that_could_not_be_repaired_keeps_its_paths() -> None:
    read = document(tags=["", "a"], remembered_facts=7)
    assert repair.normalised(read) == (read, [])
    assert repair.path_in_file(read, read, "$.tags[1]") == "$.tags[1]"
