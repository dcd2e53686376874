"""However bad a document is, its problems are told in bounded space and without its secrets."""

from __future__ import annotations

from typing import Any

import pytest
from factories import document, draft

from project_memory import validation
from project_memory.model import Severity

# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


@pytest.mark.parametrize(
    "fields",
    [
        {"tags": list(range(50_000))},
        {f"field{number}": 1 for number in range(50_000)},
        {"relationships": {"supersedes": [7] * 5_000}},
        {"pitfalls": [f"half a pair {number}: \ud800" for number in range(5_000)]},
    ],
)
def test_a_hundred_problems_are_enough(fields: dict[str, Any]) -> None:
    first, *others = validation.check_document(document(**fields))
    if first.code != "more-problems":
        first, others = others[-1], [first, *others[:-1]]
    assert (first.code, first.message, first.path) == (
        "more-problems", "only the first 100 problems are listed", "$"
    )  # fmt: skip
    assert len([problem for problem in others if problem.code != "oversize"]) <= 100


def test_a_hundred_problems_are_told_to_the_last() -> None:
    found = validation.check_document(document(scope={"project": "x", "files": [7] * 99}))
    assert len(found) == 100
    assert {problem.code for problem in found} == {"schema-type", "schema-max-items"}


def test_warnings_do_not_crowd_out_errors() -> None:
    files = [f"{'y' * 400}{number}" for number in range(110)]
    found = validation.check_document(
        document(scope={"project": "x", "files": files}, evidence={}), stored=True
    )
    errors = [problem.code for problem in found if problem.severity is Severity.ERROR]
    assert errors == ["schema-required"]
    assert len(found) == 112


@pytest.mark.parametrize(
    "fields",
    [
        {"id": TOKEN},
        {"labels": [TOKEN]},
        {"status": TOKEN},
        {"remembered_facts": [[TOKEN]]},
        {"remembered_facts": [{"fact": "x", "status": f"token: {TOKEN}"}]},
        {"tags": {TOKEN: 1}},
        {TOKEN: 1},
        {"scope": {"project": "x", TOKEN: {"a": "\ud800"}}},
        {"evidence": {"last_validated": TOKEN}},
        {"pitfalls": [f"{'y' * 60} {TOKEN}", 7, {"key": TOKEN}]},
    ],
)
def test_no_problem_repeats_a_secret(fields: dict[str, Any]) -> None:
    for found in (
        validation.check_draft(draft(**fields)),
        validation.check_document(document(**fields)),
    ):
        assert found or "pitfalls" in fields
        assert not any(part in str(found) for part in (TOKEN, TOKEN[:12], TOKEN[-12:]))
