"""Arguments as agents send them, and what is said of the ones that cannot be used."""

from __future__ import annotations

from typing import Any

import pytest

from project_memory.errors import InvalidArguments
from project_memory.mcp_server.arguments import checked


def problems(tool: str, given: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidArguments) as caught:
        checked(tool, given)
    assert {problem.memory for problem in caught.value.problems} == {None}
    return [(problem.path, problem.message) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (None, {}),
        ({}, {}),
        ('{"query": "x"}', {"query": "x"}),
        ({"limit": "5"}, {"limit": 5}),
        ({"limit": " 5 "}, {"limit": 5}),
        ({"limit": "5.0"}, {"limit": 5}),
        ({"limit": 5.0}, {"limit": 5}),
        ({"explain": "true"}, {"explain": True}),
        ({"explain": "False"}, {"explain": False}),
        ({"query": None, "before": ""}, {}),
        ({"query": "5"}, {"query": "5"}),
        ({"query": "[a list?]"}, {"query": "[a list?]"}),
        ({"query": '["a"]'}, {"query": '["a"]'}),
        ({"prefer": "area:auth"}, {"prefer": ["area:auth"]}),
        ({"prefer": '["area:auth", "area:web"]'}, {"prefer": ["area:auth", "area:web"]}),
        ({"prefer": "  "}, {}),
        ({"status_filter": "all"}, {"status_filter": ["all"]}),
        ({"label_query": "area:auth"}, {"label_query": "area:auth"}),
        ({"label_query": '{"all": ["a:b"]}'}, {"label_query": {"all": ["a:b"]}}),
        ({"label_query": "{broken"}, {"label_query": "{broken"}),
    ],
)
def test_what_is_plainly_meant_is_taken(given: Any, taken: dict[str, Any]) -> None:
    assert checked("recall", given) == taken


def test_the_fields_of_a_draft_are_taken_like_arguments() -> None:
    memory = {"labels": "kind:bug", "remembered_facts": '["a"]', "tags": None, "description": ""}
    taken = checked("create_memory", {"memory": memory})
    assert taken == {
        "memory": {"labels": ["kind:bug"], "remembered_facts": ["a"], "description": ""}
    }


def test_a_null_in_a_patch_stays() -> None:
    patch = {"labels": "kind:bug", "pitfalls": None, "scope": '{"area": null}'}
    assert checked("update_memory", {"id": "first", "patch": patch}) == {
        "id": "first",
        "patch": {"labels": ["kind:bug"], "pitfalls": None, "scope": {"area": None}},
    }


def test_what_is_given_stays_as_it_is() -> None:
    given = {"memory": {"labels": "kind:bug"}, "dry_run": "true"}
    checked("create_memory", given)
    assert given == {"memory": {"labels": "kind:bug"}, "dry_run": "true"}


@pytest.mark.parametrize(
    ("given", "path", "message"),
    [
        ([], "$", "[] is not of type object"),
        ("words", "$", "'words' is not of type object"),
        ({"limit": "five"}, "$.limit", "'five' is not of type integer"),
        ({"limit": "9" * 5000}, "$.limit", f"'{'9' * 75}...' is not of type integer"),
        ({"limit": True}, "$.limit", "true is not of type integer"),
        ({"limit": 5.5}, "$.limit", "5.5 is not of type integer"),
        ({"limit": float("nan")}, "$.limit", "NaN is not of type integer"),
        ({"limit": "-1"}, "$.limit", "-1 is less than 1"),
        ({"limit": []}, "$.limit", "[] is not of type integer"),
        ({"offset": -1}, "$.offset", "-1 is less than 0"),
        ({"explain": "maybe"}, "$.explain", "'maybe' is not of type boolean"),
        ({"explain": 1}, "$.explain", "1 is not of type boolean"),
        ({"prefer": {"a": "b"}}, "$.prefer", '{"a": "b"} is not of type array'),
        ({"prefer": ["a:b", 5]}, "$.prefer[1]", "5 is not of type string"),
        ({"query": 404}, "$.query", "404 is not of type string"),
        ({"all_projects": "yes"}, "$.all_projects", "'yes' is not of type boolean"),
        ({"all_project": 1}, "$.all_project", "unknown argument 'all_project'"),
    ],
)
def test_what_cannot_be_meant_is_named(given: Any, path: str, message: str) -> None:
    assert problems("recall", given) == [(path, message)]


def test_every_problem_is_named_in_one_answer() -> None:
    assert problems("link_memories", {"from": "a", "kind": "relates", "remove": "perhaps"}) == [
        ("$", "'from_id' and 'to_id' are missing"),
        ("$.from", "unknown argument 'from'"),
        (
            "$.kind",
            "'relates' is not one of 'related', 'supersedes', 'superseded_by', 'contradicts', "
            "'depends_on', 'required_by', 'caused_by', 'causes', 'generalizes', 'specializes'",
        ),
        ("$.remove", "'perhaps' is not of type boolean"),
    ]


@pytest.mark.parametrize("argument", ["memory", "patch"])
def test_the_inside_of_a_document_is_left_to_its_own_rules(argument: str) -> None:
    tool = "create_memory" if argument == "memory" else "update_memory"
    given = {argument: {"labels": 5, "remembered_facts": [5], "unknown": 1}}
    given |= {"id": "first"} if argument == "patch" else {}
    assert checked(tool, given) == given
