"""Drafts, canonical form, patches, links, digests: the owner of a document's field names."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import Any

import pytest
from factories import KINDS, document, draft
from hypothesis import given
from hypothesis import strategies as st

from project_memory import documents
from project_memory.documents import Link
from project_memory.errors import InvalidDocument

TODAY = date(2026, 3, 1)


def completed(given_draft: dict[str, Any], *taken: str, **options: Any) -> dict[str, Any]:
    return documents.from_draft(
        given_draft, project="demo", today=TODAY, taken=lambda name: name in taken, **options
    )


# -- drafts --------------------------------------------------------------------------------------


def test_a_draft_is_completed() -> None:
    assert completed(draft()) == document(
        id="writers-on-one-sqlite-file-see-database-is-locked-under-load",
        evidence={"created_from_task": "unspecified", "last_validated": "2026-03-01"},
    )


def test_a_draft_keeps_what_it_says() -> None:
    made = completed(
        draft(
            id="my-own",
            scope={"area": "build", "project": "other"},
            evidence={"last_validated": "2020-01-01", "commit": "abc"},
            status=None,
        ),
        task="task 7",
    )
    assert made["id"] == "my-own"
    assert made["scope"] == {
        "project": "other", "area": "build", "files": [], "applies_to": [], "reach": "project"
    }  # fmt: skip
    assert made["evidence"] == {
        "created_from_task": "task 7", "last_validated": "2020-01-01", "commit": "abc"
    }  # fmt: skip
    assert made["status"] == "active"


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("It's 2 o'clock!", "its-2-oclock"),
        ("Straße über Ærø", "strasse-uber-aero"),
        ("東京", "dongjing"),
        ("", "memory"),
        ("!?", "memory"),
        ("a", "memory-a"),
        ("ab", "memory-ab"),
        ("abc", "abc"),
        ("x" * 100, "x" * 80),
        ("word " * 30, "-".join(["word"] * 16)),
        ("a\ud800b c", "ab-c"),
    ],
)
def test_an_id_is_made_from_a_description(description: str, name: str) -> None:
    assert documents.make_id(description) == name


@given(st.text(max_size=200))
def test_an_id_made_from_any_text_is_one(text: str) -> None:
    name = documents.make_id(text)
    assert 3 <= len(name) <= 80
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not name.startswith("-")
    assert not name.endswith("-")
    assert "--" not in name


def test_a_taken_id_gets_a_number() -> None:
    base = "writers-on-one-sqlite-file-see-database-is-locked-under-load"
    assert completed(draft(), base)["id"] == f"{base}-2"
    assert completed(draft(), base, f"{base}-2")["id"] == f"{base}-3"
    long = "x" * 80
    assert completed(draft(description=long), long)["id"] == "x" * 78 + "-2"


# -- canonical form ------------------------------------------------------------------------------


def test_canonical_form_orders_keys_labels_and_links_and_tidies_text() -> None:
    shuffled = {
        "relationships": {
            "depends_on": [{"reason": "so", "id": "b-two"}, {"id": "a-one"}],
            "supersedes": ["d-four", "c-three"],
        },
        "labels": ["kind:bug", "area:sea", "kind:bug"],
        "evidence": {"last_validated": "2026-01-31", "created_from_task": " e\u0301 "},
        "scope": {"files": ["b", "a"], "project": "demo"},
        "tags": ["z ", "a"],
        "id": "first",
    }
    made = documents.canonical(shuffled)
    links = {kind: [] for kind in KINDS} | {
        "supersedes": ["c-three", "d-four"],
        "depends_on": [{"id": "a-one"}, {"id": "b-two", "reason": "so"}],
    }
    # as text, so that the order of keys counts
    assert json.dumps(made) == json.dumps(
        {
            "id": "first",
            "labels": ["area:sea", "kind:bug"],
            "tags": ["z", "a"],
            "scope": {"project": "demo", "files": ["b", "a"]},
            "evidence": {"created_from_task": "é", "last_validated": "2026-01-31"},
            "relationships": links,
        }
    )


def test_canonical_form_orders_the_keys_of_facts_and_checks() -> None:
    made = documents.canonical(
        document(
            remembered_facts=["plain", {"status": "assumption", "key": "k", "fact": "f"}],
            checks=[{"text": "t", "path": "p", "type": "text_present"}],
        )
    )
    assert [list(fact) for fact in made["remembered_facts"][1:]] == [["fact", "key", "status"]]
    assert [list(check) for check in made["checks"]] == [["type", "path", "text"]]


def test_canonical_form_is_its_own_canonical_form() -> None:
    assert documents.canonical(document()) == document()
    once = documents.canonical(document(tags=[" e\u0301"], labels=["b:b", "a:a"]))
    assert documents.to_text(documents.canonical(once)) == documents.to_text(once)


def test_a_file_is_two_space_json_with_a_final_newline() -> None:
    assert documents.to_text({"a": ["é"]}) == '{\n  "a": [\n    "é"\n  ]\n}\n'


# -- patches -------------------------------------------------------------------------------------


def test_a_patch_replaces_adds_and_removes_fields() -> None:
    before = document(scope={"project": "demo", "area": "build", "files": ["a"]}, standing=True)
    after = documents.merge_patch(
        before, {"scope": {"area": None, "files": ["b"]}, "pitfalls": ["x"], "standing": None}
    )
    assert after == document(scope={"project": "demo", "files": ["b"]}, pitfalls=["x"])


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [  # RFC 7396, appendix A, as far as its targets are objects
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_a_patch_is_a_merge_patch(
    target: dict[str, Any], patch: dict[str, Any], result: dict[str, Any]
) -> None:
    after = documents.merge_patch(target, patch)
    del after["relationships"]
    assert after == result


def test_a_patch_only_adds_links() -> None:
    before = document(
        relationships={"related": [{"id": "a-one", "reason": "for ten letters"}]},
    )
    after = documents.merge_patch(
        before,
        {"relationships": {"related": [{"id": "b-two", "reason": "for ten more"}],
                           "supersedes": ["c-three"]}},
    )  # fmt: skip
    assert after["relationships"]["related"] == [
        {"id": "a-one", "reason": "for ten letters"},
        {"id": "b-two", "reason": "for ten more"},
    ]
    assert after["relationships"]["supersedes"] == ["c-three"]


def test_a_patch_may_give_a_link_another_reason() -> None:
    before = document(relationships={"causes": [{"id": "a-one", "reason": "old"}]})
    after = documents.merge_patch(before, {"relationships": {"causes": [{"id": "a-one"}]}})
    assert after["relationships"]["causes"] == [{"id": "a-one"}]


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ([], "$: a patch is a JSON object [patch-type]"),
        (
            {"id": "other"},
            "sqlite-locked $.id: a patch cannot change id to 'other'; rename it with "
            "`project-memory rename` [fixed-field]",
        ),
        (
            {"status": "wrong"},
            "sqlite-locked $.status: a patch cannot change status to 'wrong'; change it with "
            "`project-memory status` [fixed-field]",
        ),
        (
            {"schema_version": 2},
            "sqlite-locked $.schema_version: a patch cannot change schema_version to 2; "
            "leave it out [fixed-field]",
        ),
        (
            {"relationships": None},
            "$.relationships: a patch only adds links; remove one with `project-memory unlink` "
            "[fixed-field]",
        ),
        (
            {"relationships": {"related": None}},
            "$.relationships.related: a patch only adds links; remove one with "
            "`project-memory unlink` [fixed-field]",
        ),
        ({"relationships": []}, "$.relationships: relationships is a JSON object [patch-type]"),
        (
            {"relationships": {"friends": []}},
            f"$.relationships.friends: no kind of link 'friends'; kinds: {', '.join(KINDS)} "
            "[unknown-field]",
        ),
        (
            {"relationships": {"causes": [7]}},
            "$.relationships.causes: causes is a list of links [patch-type]",
        ),
    ],
)
def test_a_patch_that_may_not_be_is_refused(patch: Any, message: str) -> None:
    with pytest.raises(InvalidDocument) as caught:
        documents.merge_patch(document(), patch)
    assert str(caught.value) == message


def test_a_patch_may_repeat_what_it_cannot_change() -> None:
    same = {"id": "sqlite-locked", "status": "active", "schema_version": 1}
    assert documents.merge_patch(document(), same) == document()


# -- links, text, differences --------------------------------------------------------------------


def test_links_are_listed_by_kind_and_put_back() -> None:
    held = document(
        relationships={
            "causes": [{"id": "b-two"}],
            "related": [{"id": "z-last", "reason": "one"}, {"id": "a-one", "reason": "two"}],
            "superseded_by": ["c-three"],
        }
    )
    found = list(documents.links(held))
    assert found == [
        Link("related", "z-last", "one"),
        Link("related", "a-one", "two"),
        Link("superseded_by", "c-three"),
        Link("causes", "b-two"),
    ]
    assert documents.with_links(held, found) == documents.canonical(held)
    assert documents.targets(held, "related") == ["a-one", "z-last"]
    assert documents.targets(held, "supersedes") == []


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(["aaa", "bbb", "ccc"]))))
def test_links_added_one_by_one_are_those_added_together(pairs: list[tuple[str, str]]) -> None:
    held = document()
    kept: dict[tuple[str, str], Link] = {}
    for number, (kind, target) in enumerate(pairs):
        reason = None if kind in {"supersedes", "superseded_by"} else f"reason {number}"
        kept[kind, target] = Link(kind, target, reason)
        held = documents.with_link(held, kept[kind, target])
    together = documents.with_links(document(), kept.values())
    assert documents.compact(held) == documents.compact(together)
    assert all(documents.has_link(held, link) for link in kept.values())
    assert not documents.has_link(held, Link("related", "aaa", "for no reason"))


def test_a_document_without_a_kind_gets_it_in_its_place() -> None:
    older = document(relationships={"superseded_by": ["bbb"], "related": []})
    linked = documents.with_link(older, Link("supersedes", "aaa"))
    assert linked == documents.with_links(
        document(), [Link("supersedes", "aaa"), Link("superseded_by", "bbb")]
    )
    assert list(linked["relationships"]) == list(KINDS)


def test_absent_relationships_are_none() -> None:
    assert list(documents.links({"relationships": {}})) == list(documents.links({})) == []


def test_the_digest_is_of_description_and_facts_blind_to_spelling() -> None:
    one = document(description="A  ﬁle\nis LOCKED", remembered_facts=["b", {"fact": "Ｃ"}])
    other = document(description="a file is locked", remembered_facts=["B", "c"], tags=["x"])
    expected = hashlib.sha256(b"a file is locked\nb\nc").hexdigest()
    assert documents.text_digest(one) == documents.text_digest(other) == expected


def test_strings_come_with_their_paths() -> None:
    assert list(documents.strings({"a": ["x", {"b": "y"}], "c": 7, "d": "z"})) == [
        ("$.a[0]", "x"), ("$.a[1].b", "y"), ("$.d", "z")
    ]  # fmt: skip


def test_searchable_text_is_folded() -> None:
    assert documents.searchable_text({"a": "STRASSE  ﬁ", "b": ["X"]}) == "strasse fi\nx"


def test_differences_are_by_field() -> None:
    after = document(tags=["x"], standing=True)
    assert documents.diff(document(), after) == {"tags": [[], ["x"]], "standing": [None, True]}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 東京", "plain é 東京"),
        ("a\nb\0\x85", "a\\nb\\x00\\x85"),
        ("\ud800\u2028", "\\ud800\\u2028"),
    ],
)
def test_printable_text_stands_on_one_line(text: str, shown: str) -> None:
    assert documents.printable(text) == shown
    documents.printable(text).encode()
