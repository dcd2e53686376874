"""Two versions of one object become one, and what both changed otherwise is told."""

from __future__ import annotations

import pytest
from factories import document
from hypothesis import given
from hypothesis import strategies as st

from project_memory.documents.merging import SETS, Merged, merge
from project_memory.resources import schema


def test_a_field_is_as_the_side_that_changed_it_has_it() -> None:
    base = {"description": "one", "standing": True}
    assert merge(base, {"description": "two", "standing": True}, {"description": "one"}) == (
        Merged({"description": "two"})
    )


def test_what_both_sides_changed_alike_is_no_conflict() -> None:
    assert merge({"a": 1}, {"a": 2}, {"a": 2}) == Merged({"a": 2})
    assert merge({"a": 1}, {}, {}) == Merged({})


def test_what_both_sides_changed_otherwise_is_a_conflict_and_says_what_ours_does() -> None:
    assert merge({"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 3, "b": 2}) == (
        Merged({"a": 2, "b": 2}, ("a",))
    )


def test_a_field_that_one_side_took_out_and_the_other_changed_is_a_conflict() -> None:
    assert merge({"a": 1}, {}, {"a": 2}) == Merged({}, ("a",))
    assert merge({"a": 1}, {"a": 2}, {}) == Merged({"a": 2}, ("a",))


def test_fields_of_parts_are_merged_by_themselves() -> None:
    base = {"scope": {"project": "demo", "area": "auth"}}
    ours = {"scope": {"project": "shop", "area": "auth"}}
    theirs = {"scope": {"project": "demo", "area": "cart"}}
    assert merge(base, ours, theirs) == Merged({"scope": {"project": "shop", "area": "cart"}})


def test_sets_take_what_either_side_added_and_lose_what_either_removed() -> None:
    base = {"tags": ["a", "b", "c"]}
    merged = merge(base, {"tags": ["a", "b", "x"]}, {"tags": ["b", "c", "y"]})
    assert merged == Merged({"tags": ["b", "x", "y"]})


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged", "conflicts"),
    [
        (["a"], ["a", "b"], ["a", "c"], ["a", "b", "c"], ()),
        (["a", "b"], ["a"], ["a", "b", "c"], ["a"], ("pitfalls",)),
        (["a"], ["a", "b"], ["a", "b"], ["a", "b"], ()),
        ([], ["a"], ["b", "a"], ["a", "b"], ()),
        (["a"], ["x"], ["y"], ["x"], ("pitfalls",)),
        (["a"], ["a"], [], [], ()),
    ],
)
def test_lists_in_an_order_that_matters_are_merged_where_both_only_added(
    base: list[str], ours: list[str], theirs: list[str], merged: list[str], conflicts: tuple
) -> None:
    found = merge({"pitfalls": base}, {"pitfalls": ours}, {"pitfalls": theirs})
    assert found == Merged({"pitfalls": merged}, conflicts)


def test_labels_that_the_two_sides_together_would_take_off_are_a_conflict() -> None:
    base = {"labels": ["kind:a", "kind:b"], "tags": ["a", "b"]}
    ours, theirs = {"labels": ["kind:a"], "tags": ["a"]}, {"labels": ["kind:b"], "tags": ["b"]}
    assert merge(base, ours, theirs) == Merged({"labels": ["kind:a"], "tags": []}, ("labels",))


def test_links_are_told_apart_by_where_they_lead() -> None:
    def linked(*links: dict[str, str]) -> dict[str, object]:
        return {"relationships": {"causes": list(links)}}

    one, other = {"id": "one", "reason": "a"}, {"id": "other"}
    changed, twice = {"id": "one", "reason": "b"}, {"id": "one", "reason": "c"}
    assert merge(linked(one), linked(changed), linked(one, other)) == (
        Merged(linked(changed, other))
    )
    assert merge(linked(one), linked(other), linked(one)) == Merged(linked(other))
    assert merge(linked(one), linked(changed), linked(twice)) == (
        Merged(linked(changed), ("relationships.causes",))
    )


def test_expectations_are_told_apart_by_what_they_ask() -> None:
    def expecting(*of: tuple[str, int, str]) -> dict[str, object]:
        return {"expectations": [
            {"query": query, "within": within, "expects": list(names)}
            for query, within, names in of
        ]}  # fmt: skip

    merged = merge(
        expecting(("why", 5, "a"), ("how", 5, "a")),
        expecting(("why", 5, "ab")),
        expecting(("why", 3, "ac"), ("how", 5, "a"), ("who", 1, "b")),
    )
    assert merged == Merged(expecting(("why", 3, "abc"), ("who", 1, "b")))


def test_aliases_of_labels_are_a_set_in_the_file_of_labels() -> None:
    def aliased(*names: str) -> dict[str, object]:
        return {"labels": {"kind:bug": {"aliases": list(names)}}}

    assert merge(aliased("a:a"), aliased("a:a", "b:b"), aliased("c:c")) == (
        Merged(aliased("b:b", "c:c"))
    )


def test_the_later_validation_holds() -> None:
    def validated(day: str) -> dict[str, object]:
        return {"evidence": {"last_validated": day}}

    base, early, late = (validated(f"2026-01-0{n}") for n in (1, 2, 3))
    assert merge(base, early, late) == merge(base, late, early) == Merged(late)


def test_the_sets_are_those_of_the_schema() -> None:
    parts = schema("parts")["$defs"]
    unique = {name for name, part in parts.items() if part.get("uniqueItems")}
    paths = {field for field, its in schema("memory")["properties"].items()
             if its.get("$ref", "").rpartition("/")[2] in unique}  # fmt: skip
    # paths of a scope, ids of expectations and aliases are sets by what they mean
    assert paths | {"scope.files", "scope.applies_to", "expects", "aliases"} == SETS


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "description": st.sampled_from("ab"),
        "tags": st.lists(st.sampled_from("abc"), unique=True),
        "scope": st.fixed_dictionaries({}, optional={"area": st.sampled_from("ab")}),
    },
)


@given(VALUES, VALUES)
def test_one_side_that_stays_leaves_all_to_the_other(base: dict, other: dict) -> None:
    for merged in (merge(base, other, base), merge(base, base, other)):
        assert merged.conflicts == ()
        assert document(**merged.value) == document(**other)


@given(VALUES, VALUES, VALUES)
def test_both_orders_find_the_same_conflicts(base: dict, ours: dict, theirs: dict) -> None:
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    assert one.conflicts == other.conflicts
    if not one.conflicts:

        def told(value):
            return {**value, "tags": sorted(value.get("tags", []))}

        assert told(one.value) == told(other.value)


@pytest.mark.parametrize("field", sorted(SETS))
def test_what_is_merged_again_stays(field: str) -> None:
    *above, last = field.split(".")

    def nested(*names: str):
        value = {last: list(names)}
        return {above[0]: value} if above else value

    once = merge(nested("a"), nested("a", "b"), nested("a", "c")).value
    assert merge(nested("a"), once, nested("a", "c")) == Merged(once)
