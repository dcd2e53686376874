"""Three texts of one file become one, with markers only where both changed the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from factories import document

from project_memory import documents
from project_memory.exchange.versions import merged_text, readable


def text(**fields: Any) -> str:
    return documents.to_text(documents.canonical(document(**fields)))


BASE = text(
    tags=["a", "b"], relationships={"related": [{"id": "gone", "reason": "because of it"}]}
)


def test_fields_sets_and_links_of_both_sides_come_together() -> None:
    ours = text(tags=["a", "b", "c"], pitfalls=["mind it"], relationships={"causes": [{"id": "x"}],
                "related": [{"id": "gone", "reason": "because of it"}]})  # fmt: skip
    theirs = text(tags=["b", "d"], status="stale", relationships={"caused_by": [{"id": "y"}]})
    merged = merged_text(BASE, ours, theirs)
    assert merged.conflicts == ()
    assert merged.text == text(
        tags=["b", "c", "d"],
        pitfalls=["mind it"],
        status="stale",
        relationships={"causes": [{"id": "x"}], "caused_by": [{"id": "y"}]},
    )


def test_what_both_changed_stands_twice_between_markers() -> None:
    ours, theirs = (text(tags=["a", "b"], description=f"the lesson as {who} has it now")
                    for who in ("one", "another"))  # fmt: skip
    merged = merged_text(BASE, ours, theirs)
    assert merged.conflicts == ("$.description",)
    assert (
        "<<<<<<< ours\n"
        '  "description": "the lesson as one has it now",\n'
        "=======\n"
        '  "description": "the lesson as another has it now",\n'
        ">>>>>>> theirs\n"
    ) in merged.text
    assert merged.text.count("<<<<<<<") == 1
    assert '"related": []' in merged.text


def test_labels_and_what_stands_beside_are_merged_by_name() -> None:
    base = {"schema_version": 1, "labels": {"kind:bug": {"description": "a defect"}}}
    ours = {"schema_version": 1, "labels": {"kind:bug": {"description": "a defect"},
                                            "area:z": {"description": "the end"}}}  # fmt: skip
    theirs = {"schema_version": 1, "labels": {"area:a": {},
                                              "kind:bug": {"description": "a fault"}}}  # fmt: skip
    merged = merged_text(*(documents.to_text(each) for each in (base, ours, theirs)))
    assert merged.conflicts == ()
    assert list(json.loads(merged.text)["labels"].items()) == [
        ("area:a", {}),
        ("area:z", {"description": "the end"}),
        ("kind:bug", {"description": "a fault"}),
    ]


def test_without_an_ancestor_only_what_differs_is_a_conflict() -> None:
    merged = merged_text("", text(tags=["a"], pitfalls=["x"]), text(tags=["b"], pitfalls=["y"]))
    assert merged.conflicts == ("$.pitfalls",)
    assert '"a",\n    "b"' in merged.text


def test_what_one_side_took_out_and_the_other_changed_stands_between_markers() -> None:
    base, theirs = text(status_reason="so it was"), text(status_reason="so it is")
    merged = merged_text(base, text(), theirs)
    assert merged.conflicts == ("$.status_reason",)
    assert '<<<<<<< ours\n=======\n  "status_reason": "so it is",\n>>>>>>> theirs\n' in merged.text


def test_what_keeps_a_successor_stays_superseded() -> None:
    def superseded(*by: str) -> str:
        return text(status="superseded" if by else "active", relationships={"superseded_by": by})

    merged = merged_text(superseded("a"), superseded(), superseded("a", "b"))
    assert merged.text == superseded("b")


@pytest.mark.parametrize("broken", ["", "{", "[1]", "caf\udce9"])
def test_what_cannot_be_read_stands_whole_between_markers(broken: str) -> None:
    ours = text()
    merged = merged_text(BASE, ours, broken)
    assert merged.conflicts == ("$",)
    ended = f"{broken}\n" if broken else ""
    assert merged.text == f"<<<<<<< ours\n{ours}=======\n{ended}>>>>>>> theirs\n"


def test_a_document_is_compared_as_a_note_and_all_else_as_it_is() -> None:
    assert readable(text()).startswith('---\nschema_version: 1\nid: "sqlite-locked"\n')
    assert "\n# Writers on one SQLite file" in readable(text())
    for other in ("", "{", '{"labels": {}}', '{"description": 5, "remembered_facts": 7}'):
        assert readable(other) == other


def test_a_renamed_memory_takes_what_the_other_side_changed() -> None:
    merged = merged_text(text(), text(id="another-name"), text(tags=["a"]))
    assert merged.text == text(id="another-name", tags=["a"])
    assert merged.conflicts == ()


def test_another_memory_that_git_takes_for_a_renamed_one_stands_whole_between_markers() -> None:
    ours = text(id="another-one", description="a lesson that is about something else")
    theirs = text(tags=["a"])
    merged = merged_text(text(), ours, theirs)
    assert merged.conflicts == ("$",)
    assert merged.text == f"<<<<<<< ours\n{ours}=======\n{theirs}>>>>>>> theirs\n"
