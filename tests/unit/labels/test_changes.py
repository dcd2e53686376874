"""Changes of a registry: what happens to names, to what is above and below, to replacements."""

from __future__ import annotations

import pytest

from project_memory import labels
from project_memory.errors import InvalidLabel, UnknownLabel
from project_memory.model import Label, Registry


def registry(*registered: Label | str) -> Registry:
    every = [Label(each) if isinstance(each, str) else each for each in registered]
    return Registry({label.name: label for label in every})


def named(found: Registry) -> dict[str, Label]:
    return dict(found.labels)


def test_a_renamed_label_keeps_everything_and_its_old_name_as_an_alias() -> None:
    old = Label("area:auth", "who may", ("area:login",), "area:web", True, "area:web")
    known = registry("area:web", old, Label("area:sso", broader="area:auth"))
    assert named(labels.renamed(known, "area:auth", "area:access")) == {
        "area:web": Label("area:web"),
        "area:access": Label(
            "area:access", "who may", ("area:auth", "area:login"), "area:web", True, "area:web"
        ),
        "area:sso": Label("area:sso", broader="area:access"),
    }


def test_a_label_may_take_the_name_of_its_own_alias() -> None:
    known = registry(Label("area:auth", aliases=("area:login",)))
    assert named(labels.renamed(known, "area:auth", "area:login")) == {
        "area:login": Label("area:login", aliases=("area:auth",))
    }


def test_what_a_renamed_label_replaced_is_replaced_by_its_new_name() -> None:
    known = registry("area:new", Label("area:old", deprecated=True, replaced_by="area:new"))
    after = labels.renamed(known, "area:new", "area:newer")
    assert after.labels["area:old"].replaced_by == "area:newer"


def test_a_merged_label_leaves_names_and_narrower_labels_to_the_other() -> None:
    known = registry(
        Label("area:login", "signing in", ("area:signin",), "area:web"),
        Label("area:auth", aliases=("area:access",)),
        Label("area:sso", broader="area:login"),
        Label("area:old", deprecated=True, replaced_by="area:login"),
        "area:web",
    )
    assert named(labels.merged(known, "area:login", "area:auth")) == {
        "area:auth": Label(
            "area:auth", "signing in", ("area:access", "area:login", "area:signin")
        ),
        "area:sso": Label("area:sso", broader="area:auth"),
        "area:old": Label("area:old", deprecated=True, replaced_by="area:auth"),
        "area:web": Label("area:web"),
    }


def test_a_label_merged_into_a_narrower_one_leaves_it_its_place() -> None:
    known = registry(
        "area:top",
        Label("area:net", broader="area:top"),
        Label("area:mid", broader="area:net"),
        Label("area:http", "kept", broader="area:mid"),
    )
    assert named(labels.merged(known, "area:net", "area:http")) == {
        "area:top": Label("area:top"),
        "area:mid": Label("area:mid", broader="area:http"),
        "area:http": Label("area:http", "kept", ("area:net",), "area:top"),
    }


def test_what_is_below_a_removed_label_comes_under_what_it_was_under() -> None:
    known = registry(
        "area:top",
        Label("area:net", broader="area:top"),
        Label("area:http", broader="area:net"),
        Label("area:old", deprecated=True, replaced_by="area:net"),
    )
    after = labels.removed(known, "area:net", None)
    assert after.labels["area:http"].broader == "area:top"
    assert after.labels["area:old"] == Label("area:old", deprecated=True)
    replaced = labels.removed(known, "area:net", "area:http")
    assert replaced.labels["area:http"].broader == "area:top"
    assert replaced.labels["area:old"].replaced_by == "area:http"


def test_a_deprecated_label_passes_on_what_it_replaced() -> None:
    known = registry("area:b", "area:c", Label("area:a", deprecated=True, replaced_by="area:b"))
    after = labels.deprecated(known, "area:b", "area:c")
    assert named(after) == {
        "area:a": Label("area:a", deprecated=True, replaced_by="area:c"),
        "area:b": Label("area:b", deprecated=True, replaced_by="area:c"),
        "area:c": Label("area:c"),
    }
    assert named(labels.restored(after, "area:b"))["area:b"] == Label("area:b")


def test_labels_that_would_replace_each_other_are_refused() -> None:
    known = registry("area:a", Label("area:b", deprecated=True, replaced_by="area:a"))
    with pytest.raises(InvalidLabel) as caught:
        labels.deprecated(known, "area:a", "area:b")
    assert str(caught.value) == (
        "labels replace each other: 'area:a' -> 'area:b' -> 'area:a'; clear one of them"
    )


def test_the_registry_before_a_change_stays_as_it_was() -> None:
    known = registry("area:a", Label("area:b", broader="area:a"))
    labels.renamed(known, "area:a", "area:z")
    assert named(known) == {"area:a": Label("area:a"), "area:b": Label("area:b", broader="area:a")}


def test_a_further_text_gets_the_replacement_of_a_deprecated_label() -> None:
    known = registry(
        "area:c",
        Label("area:b", deprecated=True, replaced_by="area:c"),
        Label("area:a", aliases=("area:first",), deprecated=True, replaced_by="area:b"),
    )
    assert labels.accepted(known, "area:first") == "area:c"
    assert labels.accepted(known, "area:c") == "area:c"
    assert labels.replacements(known) == {"area:a": "area:c", "area:b": "area:c"}


def test_a_deprecated_label_without_replacement_is_refused() -> None:
    known = registry(Label("area:login-page", deprecated=True), "area:login-pages-two")
    with pytest.raises(InvalidLabel) as caught:
        labels.accepted(known, "area:login-page")
    assert str(caught.value) == (
        "label 'area:login-page' is deprecated; use 'area:login-pages-two', or bring it back "
        "with `project-memory labels deprecate area:login-page --off`"
    )
    with pytest.raises(UnknownLabel):
        labels.accepted(known, "area:elsewhere")


def test_replacements_that_lead_nowhere_end() -> None:
    known = registry(
        Label("area:a", deprecated=True, replaced_by="area:b"),
        Label("area:b", deprecated=True, replaced_by="area:a"),
        Label("area:gone", deprecated=True, replaced_by="area:none"),
    )
    assert labels.replacements(known) == {}
    with pytest.raises(InvalidLabel):
        labels.accepted(known, "area:a")


def test_faults_of_replacements_are_reported() -> None:
    known = registry(Label("area:a", replaced_by="area:x"), "area:b")
    assert labels.faults(known) == [
        ("area:a", "label 'area:a' has a replacement but is not deprecated; deprecate it"),
        ("area:a", "replacement 'area:x' of 'area:a' is not registered; add it"),
    ]


def test_a_label_longer_than_a_document_may_carry_is_refused() -> None:
    longest = "area:" + "a" * (labels.MAX_LENGTH - len("area:"))
    assert labels.canonical(longest) == longest
    with pytest.raises(InvalidLabel) as caught:
        labels.canonical("area:" + "b" * 76)
    assert str(caught.value) == (
        f"label 'area:{'b' * 76}' has 81 characters; at most 80 are allowed"
    )


def test_the_tree_lists_each_label_before_those_below_it() -> None:
    known = registry(
        Label("area:http", "requests", broader="area:net"),
        Label("area:net"),
        Label("area:cookies", broader="area:http"),
        Label("area:dns", broader="area:net", deprecated=True),
        "kind:bug",
    )
    counts = {"area:http": 2, "area:net": 1}
    found = labels.tree(known, counts, {"area:net": 3, "area:http": 2}, None)
    assert [(b.label, b.depth, b.broader, b.count, b.total) for b in found] == [
        ("area:net", 0, None, 1, 3),
        ("area:dns", 1, "area:net", 0, 0),
        ("area:http", 1, "area:net", 2, 2),
        ("area:cookies", 2, "area:http", 0, 0),
        ("kind:bug", 0, None, 0, 0),
    ]
    assert [b.description for b in found][2] == "requests"
    assert [b.label for b in found if b.deprecated] == ["area:dns"]
    below = labels.tree(known, counts, {}, "area:http")
    assert [(b.label, b.depth) for b in below] == [("area:http", 0), ("area:cookies", 1)]


def test_a_broken_registry_is_listed_whole() -> None:
    known = registry(
        Label("area:a", broader="area:b"),
        Label("area:b", broader="area:a"),
        Label("area:c", broader="area:gone"),
    )
    found = labels.tree(known, {}, {}, None)
    assert [(b.label, b.depth) for b in found] == [("area:c", 0), ("area:a", 0), ("area:b", 1)]


def test_a_deep_tree_is_no_problem() -> None:
    chain = [Label(f"area:l{n}", broader=f"area:l{n - 1}" if n else None) for n in range(3000)]
    assert labels.tree(registry(*chain), {}, {}, None)[-1].depth == 2999
