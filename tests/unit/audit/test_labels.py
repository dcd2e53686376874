"""Labels that do not earn their place, or that a memory lacks."""

from __future__ import annotations

import pytest
from factories import evidence, memory

from project_memory import audit
from project_memory.audit import Action, Finding, Policy, Severity
from project_memory.audit.checks import twins
from project_memory.labels import near_twin
from project_memory.model import Label, Memory, Registry


def registry(*names: str, **labels: Label) -> Registry:
    return Registry({**{name: Label(name) for name in names}, **labels})


def crowd(*labels: str, count: int = 20) -> list[Memory]:
    return [memory(k, id=f"crowd-{k}", labels=list(labels)) for k in range(1, count + 1)]


def subjects(code: str, *memories: Memory, **fields) -> list[str]:
    return [finding.subject for finding in audit.judge(evidence(*memories, **fields), [code])]


def test_a_label_that_no_memory_carries_is_told() -> None:
    known = evidence(memory(), registry=registry("area:lake", "kind:bug"))
    assert audit.judge(known, ["label-unused"]) == [
        Finding(
            "label-unused",
            Severity.NOTE,
            "area:lake",
            "no memory carries it; use it, or remove it",
            action=Action("remove_label", {"label": "area:lake"}),
        )
    ]


def test_a_label_of_an_archived_memory_is_used() -> None:
    archived = memory(labels=["area:lake"], archived_at="2026-02-01T00:00:00Z")
    assert subjects("label-unused", archived, registry=registry("area:lake")) == []


def test_labels_with_a_use_of_their_own_need_no_memory() -> None:
    labels = {
        "kind:decision": Label("kind:decision"),  # every project starts with it
        "area:water": Label("area:water"),  # another is narrower
        "area:lake": Label("area:lake", broader="area:water"),
        "area:pool": Label("area:pool", deprecated=True),
    }
    carrier = memory(labels=["area:lake"])
    assert subjects("label-unused", carrier, registry=Registry(labels)) == []


def test_a_label_of_a_single_memory_is_told_in_a_project_of_some_size() -> None:
    odd = memory(21, id="odd", labels=["area:lake", "kind:bug"])
    known = evidence(odd, *crowd("area:moor"))
    assert audit.judge(known, ["label-rare"]) == [
        Finding(
            "label-rare",
            Severity.NOTE,
            "area:lake",
            "only 'odd' carries it; use a label that others share, or a tag",
            {"memory": "odd"},
        )
    ]
    assert subjects("label-rare", odd, *crowd("area:moor", count=18)) == []


def test_a_label_of_more_than_two_fifths_is_too_broad() -> None:
    eight, nine = crowd("area:moor", count=8), crowd("area:moor", count=9)
    others = [memory(100 + k, id=f"other-{k}", labels=["area:lake"]) for k in range(12)]
    assert audit.judge(evidence(*nine, *others[:11]), ["label-broad"]) == [
        Finding(
            "label-broad",
            Severity.NOTE,
            "area:lake",
            "55 % of the memories carry it; add narrower labels below it",
            {"memories": 11, "of": 20},
        ),
        Finding(
            "label-broad",
            Severity.NOTE,
            "area:moor",
            "45 % of the memories carry it; add narrower labels below it",
            {"memories": 9, "of": 20},
        ),
    ]
    assert subjects("label-broad", *eight, *others) == ["area:lake"]
    assert subjects("label-broad", *nine, *others[:10]) == []


def test_a_prefix_that_the_project_requires_is_missed() -> None:
    lacking = memory(1, id="lake", labels=["kind:bug"])
    having = memory(2, id="moor", labels=["area:moor", "kind:bug"])
    known = evidence(lacking, having, policy=Policy(require_prefix=("area:", "kind")))
    assert audit.judge(known, ["label-missing"]) == [
        Finding(
            "label-missing",
            Severity.WARNING,
            "lake",
            "no label with the prefix 'area'; add one",
            {"prefix": "area"},
        )
    ]


def test_two_spellings_are_told_once_at_the_one_fewer_carry() -> None:
    known = evidence(
        memory(1, id="lake", labels=["area:databases"]),
        registry=registry("area:database", "area:databases"),
    )
    assert audit.judge(known, ["label-twin"]) == [
        Finding(
            "label-twin",
            Severity.NOTE,
            "area:database",
            "a near-twin of 'area:databases'; merge the two, or describe how they differ",
            {"twin": "area:databases", "memories": 0, "of_twin": 1},
        )
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("area:query", "area:queries"),
        ("area:user-login", "area:login-user"),
        ("area:user-login", "area:userlogin"),
        ("area:keys", "area:key"),
        ("area:storage", "area:storege"),
        ("area:storage", "area:stroage"),
        ("area:storage", "area:storages"),
        ("area:storage", "area:torage"),
        ("area:storage", "area:sttorage"),
        ("signal:e0277", "signal:e0278"),
        ("area:retry-3", "area:retry-5"),
        ("area:lake", "kind:lake"),
        ("area:lake", "area:moor"),
    ],
)
def test_pairs_are_those_that_comparing_all_finds(one: str, other: str) -> None:
    known = registry(one, other, "area:something-else")
    twins_by_brute_force = near_twin(known, one) == other or near_twin(known, other) == one
    assert twins.pairs(known) == ([tuple(sorted((one, other)))] if twins_by_brute_force else [])


def test_an_alias_is_a_spelling_too() -> None:
    known = Registry(
        {
            "area:storage": Label("area:storage"),
            "area:disk": Label("area:disk", aliases=("area:storages",)),
        }
    )
    assert twins.pairs(known) == [("area:disk", "area:storage")]


def test_a_deprecated_label_is_no_twin() -> None:
    known = Registry(
        {
            "area:storage": Label("area:storage"),
            "area:storages": Label("area:storages", deprecated=True),
        }
    )
    assert twins.pairs(known) == []
