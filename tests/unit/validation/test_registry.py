"""A registry keeps the rules of labels and holds no secret."""

from __future__ import annotations

from project_memory.model import Label, Problem, Registry
from project_memory.validation import registry

# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


def problems(*labels: Label) -> list[Problem]:
    return list(registry.problems(Registry({label.name: label for label in labels})))


def test_a_sound_registry_has_no_problem() -> None:
    assert (
        problems(Label("area:lake", "what is wet"), Label("area:pond", broader="area:lake")) == []
    )


def test_a_broken_rule_is_told_at_its_label() -> None:
    assert problems(Label("area:pond", broader="area:lake")) == [
        Problem(
            "bad-label",
            "broader label 'area:lake' of 'area:pond' is not registered; add it first",
            "$.labels.area:pond",
        )
    ]


def test_a_secret_in_a_description_is_told_and_not_repeated() -> None:
    assert problems(Label("area:lake", f"log in with {TOKEN}")) == [
        Problem(
            "secret",
            "the description of 'area:lake' looks like a secret (rule 'github-token')",
            "$.labels.area:lake.description",
            fix="say where the secret lives, not its value",
        )
    ]


def test_a_description_that_no_file_could_hold_is_told_of_a_store_too() -> None:
    assert problems(Label("area:lake", "what is\0 wet"), Label("area:pond", "x" * 501)) == [
        Problem(
            "control-character",
            "control character U+0000",
            "$.labels.area:lake.description",
            fix="only line breaks and tabs are allowed",
        ),
        Problem(
            "schema-max-length",
            f"'{'x' * 75}...' has 501 characters; at most 500 are allowed",
            "$.labels.area:pond.description",
        ),
    ]
