"""Errors: the tree that the docstring draws, stable codes, whole messages."""

from __future__ import annotations

import inspect
import re

import pytest

from project_memory import errors
from project_memory.errors import (
    ExpressionSyntaxError,
    InvalidDocument,
    MemoryExists,
    NotFound,
    ProjectMemoryError,
    SecretFound,
    UnknownLabel,
    VersionConflict,
)
from project_memory.model import Problem

CLASSES = [
    value
    for _, value in inspect.getmembers(errors, inspect.isclass)
    if issubclass(value, ProjectMemoryError)
]


def test_the_docstring_draws_the_whole_tree() -> None:
    drawn = {}
    ancestors: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        if match := re.match(r"    ([│ ├└─]*)(\w+)", line):
            depth = len(match[1]) // 4
            ancestors[depth:] = [match[2]]
            drawn[match[2]] = ancestors[depth - 1] if depth else "Exception"
    assert drawn == {each.__name__: each.__base__.__name__ for each in CLASSES}


def test_every_error_has_a_code_of_its_own() -> None:
    codes = {each.__name__: each.code for each in CLASSES}
    assert codes == {
        "Conflict": "conflict",
        "ExpectationLost": "expectation-lost",
        "ExpressionSyntaxError": "expression-syntax",
        "Forbidden": "forbidden",
        "InvalidArguments": "invalid-arguments",
        "InvalidDocument": "invalid-document",
        "InvalidInput": "invalid-input",
        "InvalidLabel": "invalid-label",
        "InvalidTransition": "invalid-transition",
        "IssuerUnreachable": "issuer-unreachable",
        "LabelInUse": "label-in-use",
        "MemoryExists": "memory-exists",
        "NotFound": "not-found",
        "ProjectMemoryError": "error",
        "ProposalConflict": "proposal-conflict",
        "SchemaVersionMismatch": "schema-version",
        "SecretFound": "secret-found",
        "StorageBusy": "storage-busy",
        "StorageError": "storage",
        "StoreUnreadable": "store-unreadable",
        "Unidentified": "unidentified",
        "UnknownLabel": "unknown-label",
        "UnknownLabels": "unknown-label",
        "VersionConflict": "version-conflict",
    }


def test_an_invalid_document_lists_every_problem_in_order() -> None:
    problems = [
        Problem("too-short", "'x' is too short", "$.description", fix="write 20 characters"),
        Problem("dangling-link", "no memory 'b'", "$.relationships.related[0]", memory="a"),
    ]
    error = InvalidDocument(problems)
    assert error.problems == tuple(problems)
    assert str(error) == (
        "$.description: 'x' is too short; write 20 characters [too-short]\n"
        "a $.relationships.related[0]: no memory 'b' [dangling-link]"
    )


def test_an_unknown_label_says_how_to_add_it() -> None:
    error = UnknownLabel("area:auht")
    assert error.near == ()
    assert str(error) == (
        "label 'area:auht' is not registered; add it with `project-memory labels add area:auht`"
    )


def test_an_unknown_label_names_the_near_ones() -> None:
    assert str(UnknownLabel("area:auht", ["area:auth", "area:http"])) == (
        "label 'area:auht' is not registered; did you mean 'area:auth' or 'area:http'? "
        "add it with `project-memory labels add area:auht`"
    )


def test_a_syntax_error_points_at_its_place() -> None:
    error = ExpressionSyntaxError("kind:bug AND", 12, "a term")
    assert (error.source, error.position) == ("kind:bug AND", 12)
    assert str(error) == (
        "expected a term at position 12\n"
        "  kind:bug AND\n"
        "              ^"
    )  # fmt: skip


def test_a_syntax_error_in_long_text_shows_the_part_around_it() -> None:
    error = ExpressionSyntaxError("a" * 100 + "\n(" + "b" * 100, 101, "a term")
    assert str(error) == (
        "expected a term at position 101\n"
        f"  {'a' * 59} ({'b' * 59}\n"
        f"  {' ' * 60}^"
    )  # fmt: skip


def test_a_secret_is_told_by_path_and_rule_only() -> None:
    error = SecretFound([("$.pitfalls[0]", "github-token"), ("$.tags[1]", "jwt")])
    assert str(error) == (
        "$.pitfalls[0] looks like a secret (rule 'github-token'); "
        "say where the secret lives, not its value\n"
        "$.tags[1] looks like a secret (rule 'jwt'); say where the secret lives, not its value"
    )


def test_a_version_conflict_names_what_changed() -> None:
    error = VersionConflict("auth-fix", 3, 5, {"tags": [[], ["a"]], "labels": [["x:y"], []]})
    assert (error.memory_id, error.given, error.current) == ("auth-fix", 3, 5)
    assert error.diff == {"tags": [[], ["a"]], "labels": [["x:y"], []]}
    assert str(error) == (
        "memory 'auth-fix' is at version 5, not 3 (changed since: labels, tags); "
        "read it again and repeat the change on version 5"
    )


def test_a_version_conflict_without_a_difference_stays_short() -> None:
    assert str(VersionConflict("auth-fix", 3, 5)) == (
        "memory 'auth-fix' is at version 5, not 3; "
        "read it again and repeat the change on version 5"
    )


def test_an_existing_memory_is_named() -> None:
    error = MemoryExists("auth-fix", "memory 'auth-fix' exists already; update it")
    assert error.memory_id == "auth-fix"
    assert str(error) == "memory 'auth-fix' exists already; update it"


def test_a_plain_error_keeps_its_message() -> None:
    with pytest.raises(ProjectMemoryError) as caught:
        raise NotFound("no memory 'auth-fix'; list ids with `project-memory list`")
    assert str(caught.value) == "no memory 'auth-fix'; list ids with `project-memory list`"
