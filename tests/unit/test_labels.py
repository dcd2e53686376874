"""Labels: their form, their registry, and the labels that resemble others."""

from __future__ import annotations

import pytest
from secret_samples import ALNUM, drawing

from project_memory import labels
from project_memory.errors import InvalidLabel, UnknownLabel
from project_memory.labels import Entry, Group
from project_memory.model import Label, Registry


def registry(*registered: Label | str, single: tuple[str, ...] = ()) -> Registry:
    every = [Label(each) if isinstance(each, str) else each for each in registered]
    return Registry({label.name: label for label in every}, frozenset(single))


@pytest.mark.parametrize("label", ["kind:bug", "area:user-login", "signal:e0277", "a1:2"])
def test_a_label_in_form_is_returned_unchanged(label: str) -> None:
    assert labels.canonical(label) == label


def test_blanks_around_a_label_are_dropped() -> None:
    assert labels.canonical(" kind:bug\n") == "kind:bug"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Kind:Bug", "label 'Kind:Bug' is not prefix:kebab-case; write 'kind:bug'"),
        (
            "area:user_Login  flow",
            "label 'area:user_Login  flow' is not prefix:kebab-case; write 'area:user-login-flow'",
        ),
        ("ａrea:x", "label 'ａrea:x' is not prefix:kebab-case; write 'area:x'"),
        ("bug", "label 'bug' is not prefix:kebab-case; write it like 'area:user-login'"),
        ("", "label '' is not prefix:kebab-case; write it like 'area:user-login'"),
        ("kind:", "label 'kind:' is not prefix:kebab-case; write it like 'area:user-login'"),
        ("1:x", "label '1:x' is not prefix:kebab-case; write it like 'area:user-login'"),
        ("a:b\nc", "label 'a:b\\nc' is not prefix:kebab-case; write 'a:b-c'"),
        ("Status:x", "label 'Status:x' is not prefix:kebab-case; write it like 'area:user-login'"),
        (
            "status:open",
            (
                "label 'status:open' has the reserved prefix 'status'; "
                "choose another, such as 'area' or 'signal'"
            ),
        ),
    ],
)
def test_a_label_out_of_form_is_refused_with_the_right_spelling(text: str, message: str) -> None:
    with pytest.raises(InvalidLabel) as caught:
        labels.canonical(text)
    assert str(caught.value) == message


def test_every_field_of_the_expression_language_is_reserved() -> None:
    fields = "status tag file id author asserted reach confidence created updated validated"
    assert frozenset({*fields.split(), "linked", "is", "text"}) == labels.RESERVED


def test_an_alias_resolves_to_its_label() -> None:
    known = registry(Label("area:auth", aliases=("area:login",)))
    assert labels.resolve(known, "area:login") == "area:auth"
    assert labels.resolve(known, "area:auth") == "area:auth"


def test_an_unknown_label_names_near_ones() -> None:
    known = registry("kind:bug", "area:authentication", "area:billing", "context:build")
    with pytest.raises(UnknownLabel) as caught:
        labels.resolve(known, "area:authentification")
    assert caught.value.near == ("area:authentication",)
    assert str(caught.value) == (
        "label 'area:authentification' is not registered; did you mean 'area:authentication'? "
        "add it with `project-memory labels add area:authentification`"
    )


def test_an_unknown_label_like_no_other_names_none() -> None:
    with pytest.raises(UnknownLabel) as caught:
        labels.resolve(registry("kind:bug"), "area:zanzibar")
    assert str(caught.value) == (
        "label 'area:zanzibar' is not registered; "
        "add it with `project-memory labels add area:zanzibar`"
    )


def test_near_labels_are_at_most_three_best_first() -> None:
    known = registry("area:cache", "area:caches", "area:caching", "area:cached", "area:catch")
    assert labels.near(known, "area:cachee") == ["area:cache", "area:cached", "area:caches"]


def test_a_shared_word_under_another_prefix_is_near() -> None:
    assert labels.near(registry("area:auth", "kind:bug"), "signal:auth") == ["area:auth"]


def test_near_finds_a_label_by_its_alias() -> None:
    known = registry(Label("area:authentication", aliases=("area:login",)))
    assert labels.near(known, "area:logins") == ["area:authentication"]


def test_a_deprecated_label_is_never_suggested() -> None:
    assert labels.near(registry(Label("area:auth", deprecated=True)), "area:auht") == []


@pytest.mark.parametrize(
    ("new", "twin"),
    [
        ("area:webhooks", "area:webhook"),
        ("area:web-hook", "area:webhook"),
        ("area:web-hooks", "area:webhook"),
        ("area:retries", "area:retry"),
        ("area:pool-connection", "area:connection-pool"),
        ("area:databse", "area:database"),
        ("area:dtaabase", "area:database"),
        ("area:datanase", "area:database"),
        ("area:ddatabase", "area:database"),
        ("area:databases", "area:database"),
    ],
)
def test_another_spelling_is_a_twin(new: str, twin: str) -> None:
    known = registry("area:webhook", "area:retry", "area:connection-pool", "area:database")
    assert labels.near_twin(known, new) == twin


@pytest.mark.parametrize(
    ("new", "registered"),
    [
        ("signal:e0277", "signal:e0278"),
        ("area:http2", "area:http3"),
        ("area:cat", "area:car"),
        ("signal:database", "area:database"),
        ("area:export", "area:import"),
        ("area:bus", "area:bu"),
        ("area:database", "area:database"),
    ],
)
def test_another_thing_is_no_twin(new: str, registered: str) -> None:
    assert labels.near_twin(registry(registered), new) is None


def test_a_twin_of_an_alias_is_a_twin_of_its_label() -> None:
    known = registry(Label("area:auth", aliases=("area:login-page",)))
    assert labels.near_twin(known, "area:login-pages") == "area:auth"


def test_narrower_is_transitive_and_holds_the_label_itself() -> None:
    known = registry(
        "area:net",
        Label("area:http", broader="area:net"),
        Label("area:cookies", broader="area:http"),
        "area:disk",
    )
    assert labels.narrower(known, "area:net") == {"area:net", "area:http", "area:cookies"}
    assert labels.narrower(known, "area:disk") == {"area:disk"}


def test_narrower_ends_on_a_cycle() -> None:
    known = registry(Label("area:a", broader="area:b"), Label("area:b", broader="area:a"))
    assert labels.narrower(known, "area:a") == {"area:a", "area:b"}


def test_a_cycle_of_broader_labels_is_found() -> None:
    known = registry(
        Label("area:a", broader="area:d"),
        Label("area:b", broader="area:c"),
        Label("area:c", broader="area:d"),
        Label("area:d", broader="area:b"),
        "area:e",
    )
    assert labels.broader_cycle(known) == ["area:b", "area:c", "area:d"]


def test_a_tree_of_broader_labels_has_no_cycle() -> None:
    known = registry("area:a", Label("area:b", broader="area:a"), Label("area:c", broader="x:y"))
    assert labels.broader_cycle(known) == []


def test_a_single_prefix_allows_one_label() -> None:
    known = registry("kind:bug", "kind:lesson", "area:a", "area:b", single=("kind",))
    assert labels.check_single(known, ["kind:bug", "kind:lesson", "area:a", "area:b"]) == ["kind"]
    assert labels.check_single(known, ["kind:bug", "kind:bug", "area:a", "area:b"]) == []


def test_every_fault_of_a_registry_is_reported() -> None:
    known = registry(
        Label("area:a", broader="area:gone"),
        Label("area:b", aliases=("area:a", "area:x")),
        Label("area:c", aliases=("area:x", "area:c")),
        Label("is:open"),
        Label("loop:one", broader="loop:one"),
    )
    assert labels.faults(known) == [
        ("area:a", "broader label 'area:gone' of 'area:a' is not registered; add it first"),
        ("area:b", "alias 'area:a' already names 'area:a'; remove it"),
        ("area:c", "alias 'area:c' already names 'area:c'; remove it"),
        ("area:c", "alias 'area:x' already names 'area:b'; remove it"),
        (
            "is:open",
            (
                "label 'is:open' has the reserved prefix 'is'; "
                "choose another, such as 'area' or 'signal'"
            ),
        ),
        (
            "loop:one",
            "broader labels form a cycle: 'loop:one' -> 'loop:one'; clear one of them",
        ),
    ]


def test_adding_a_label_leaves_the_old_registry_as_it_was() -> None:
    before = registry("kind:bug", single=("kind",))
    after = labels.with_label(before, Label("area:auth", "who may do what"))
    assert sorted(before.labels) == ["kind:bug"]
    assert after.labels["area:auth"] == Label("area:auth", "who may do what")
    assert after.single == {"kind"}


def test_adding_a_label_that_breaks_a_rule_is_refused() -> None:
    before = registry("area:a")
    with pytest.raises(InvalidLabel) as caught:
        labels.with_label(before, Label("area:b", aliases=("area:a",), broader="area:z"))
    assert str(caught.value) == (
        "alias 'area:a' already names 'area:a'; remove it\n"
        "broader label 'area:z' of 'area:b' is not registered; add it first"
    )


def test_a_fault_that_was_there_before_forbids_no_other_label() -> None:
    before = registry(Label("area:a", broader="area:gone"))
    assert "area:b" in labels.with_label(before, Label("area:b")).labels


def test_the_starter_registry_has_kinds_and_contexts_and_no_fault() -> None:
    starter = labels.starter()
    assert sorted(starter.labels) == [
        "context:build",
        "context:deployment",
        "context:runtime",
        "context:testing",
        "context:tooling",
        "kind:architecture",
        "kind:blocker",
        "kind:bug",
        "kind:completion",
        "kind:convention",
        "kind:decision",
        "kind:lesson",
        "kind:observation",
        "kind:workflow",
    ]
    assert starter.single == frozenset()
    assert labels.faults(starter) == []
    assert all(label.description for label in starter.labels.values())


def test_labels_are_listed_by_prefix_with_counts() -> None:
    known = registry(
        Label("kind:bug", "a defect", aliases=("kind:defect",), deprecated=True),
        Label("area:http", broader="area:net"),
        "area:net",
        single=("kind",),
    )
    assert labels.grouped(known, {"kind:bug": 2}) == (
        Group(
            "area",
            False,
            (
                Entry("area:http", "", (), "area:net", False, 0),
                Entry("area:net", "", (), None, False, 0),
            ),
        ),
        Group("kind", True, (Entry("kind:bug", "a defect", ("kind:defect",), None, True, 2),)),
    )


def test_labels_listed_without_counts_have_none() -> None:
    (group,) = labels.grouped(registry("kind:bug"))
    assert group.labels[0].count is None


def test_no_other_form_of_a_secret_is_suggested_for_a_label() -> None:
    token = f"ghp_{drawing(7)(ALNUM, 36)}"
    with pytest.raises(InvalidLabel) as caught:
        labels.canonical(f"area:{token}")
    assert str(caught.value) == (
        "label 'area:[redacted: github-token]' is not prefix:kebab-case; write it like "
        "'area:user-login'"
    )
