"""What errors repeat of what they were given: no secret, and nothing at any length."""

from __future__ import annotations

import pytest
from secret_samples import drawing, known_forms

from project_memory import telling
from project_memory.errors import (
    ExpressionSyntaxError,
    InvalidDocument,
    InvalidInput,
    NotFound,
    UnknownLabel,
)
from project_memory.model import Problem

TOKEN = known_forms(drawing(7))["github-token"]


def test_a_short_sentence_is_told_as_it_is() -> None:
    assert telling.told("no memory 'first'") == "no memory 'first'"
    longest = "x" * telling.LONGEST
    assert telling.told(longest) == longest


@pytest.mark.parametrize("length", [1_001, 39_000, 100_000, 1_000_000])
def test_a_long_value_lacks_its_middle_and_the_remedy_stays(length: int) -> None:
    text = str(NotFound(f"no memory '{'x' * length}'; list ids with `project-memory list`"))
    assert text == (
        f"no memory '{'x' * 689} ... {'x' * 262}'; list ids with `project-memory list`"
    )


def test_every_problem_of_many_is_told_and_none_at_any_length() -> None:
    problems = [Problem("bad", f"'{letter * 100_000}' is wrong") for letter in "abc"]
    lines = str(InvalidDocument(problems)).splitlines()
    assert [line[:8] for line in lines] == ["$: 'aaaa", "$: 'bbbb", "$: 'cccc"]
    assert all(len(line) < 1_100 and line.endswith("' is wrong [bad]") for line in lines)


def test_a_value_of_many_lines_is_no_longer_than_another() -> None:
    assert len(str(InvalidInput("'" + "x\n" * 100_000 + "' is wrong"))) < 1_100


@pytest.mark.parametrize(
    "error",
    [
        NotFound(f"no memory '{TOKEN}'; list ids"),
        NotFound(f"no memory '{'x' * 50_000} {TOKEN}'; list ids"),
        NotFound(f"no memory '{'x' * 670} {TOKEN} {'x' * 400}'; list ids"),
        UnknownLabel(TOKEN),
        InvalidDocument([Problem("bad", f"'{TOKEN}' is wrong", memory=TOKEN)]),
        ExpressionSyntaxError(f"kind:bug {TOKEN}", 9, f'text:"{TOKEN}"'),
        ExpressionSyntaxError("kind:bug " * 12 + TOKEN, 40, "something"),
    ],
)
def test_no_error_repeats_a_secret(error: Exception) -> None:
    told = str(error)
    assert not any(TOKEN[start : start + 8] in told for start in range(4, len(TOKEN) - 8))


def test_what_surrounds_a_secret_is_told() -> None:
    assert str(NotFound(f"no memory '{TOKEN}'; list ids")) == (
        "no memory '[redacted: github-token]'; list ids"
    )
    assert str(ExpressionSyntaxError(TOKEN, 0, "a label")) == (
        "expected something else at position 0 of what holds a secret"
    )


def test_the_facts_of_an_error_are_told_likewise() -> None:
    value = {"a": [TOKEN, 1, None, {"b": "x" * 5_000}], TOKEN: True}
    found = telling.told_value(value)
    assert found["[redacted: github-token]"] is True
    first, one, none, inner = found["a"]
    assert (first, one, none) == ("[redacted: github-token]", 1, None)
    assert len(inner["b"]) == telling.LONGEST + 5
