"""A policy from several sources, and what is wrong with a value."""

from __future__ import annotations

from typing import Any

import pytest

from project_memory.audit import Policy
from project_memory.audit.policy import FIELDS, action_limit, with_values
from project_memory.errors import InvalidInput


def test_the_defaults_are_those_of_the_design() -> None:
    policy = Policy()
    assert (policy.assumption_days, policy.proposal_days, policy.label_percent) == (90, 14, 40)


def test_values_replace_and_hyphens_stand_for_underscores() -> None:
    policy = with_values(Policy(noisy_surfaced=7), {"validated-days": 30}, "a test")
    assert (policy.validated_days, policy.noisy_surfaced) == (30, 7)


def test_a_value_of_none_says_nothing() -> None:
    assert with_values(Policy(), {"validated_days": None}, "a test") == Policy()


def test_a_list_becomes_names() -> None:
    policy = with_values(Policy(), {"require-prefix": ["area", "kind"]}, "a test")
    assert policy.require_prefix == ("area", "kind")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"validated_dais": 3},
         "a test: no limit 'validated-dais'; did you mean 'validated-days'?"),
        (
            {"validated-days": "soon"},
            "a test: 'validated-days' is 'soon'; write a whole number from 1 to 1000000000",
        ),
        ({"label-percent": 0}, "a test: 'label-percent' is 0; write a whole number from 1 to 100"),
        ({"label-percent": 101},
         "a test: 'label-percent' is 101; write a whole number from 1 to 100"),
        ({"label-percent": True},
         "a test: 'label-percent' is True; write a whole number from 1 to 100"),
        ({"gate": ["1:50"]},
         "a test: 'gate' is ['1:50']; write tier:questions:days, such as 1:50:30"),
        ({"gate": ["0:50:30"]},
         "a test: 'gate' is ['0:50:30']; write tier:questions:days, such as 1:50:30"),
        ({"delete-superseded": 1}, "a test: 'delete-superseded' is 1; write true or false"),
        ({"ignore": "orphan"}, "a test: 'ignore' is 'orphan'; write a list of names"),
        ({"ignore": [""]}, "a test: 'ignore' is ['']; write a list of names"),
        (
            {"label-percent": 0, "ignore": 3},
            "a test: 'label-percent' is 0; write a whole number from 1 to 100\n"
            "a test: 'ignore' is 3; write a list of names",
        ),
    ],
)  # fmt: skip
def test_a_bad_value_is_named_with_its_place_and_remedy(
    values: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        with_values(Policy(), values, "a test")
    assert str(caught.value) == message


def test_a_name_like_none_is_answered_with_all() -> None:
    with pytest.raises(InvalidInput) as caught:
        with_values(Policy(), {"zzz": 1}, "a test")
    listed = ", ".join(name.replace("_", "-") for name in FIELDS)
    assert str(caught.value) == f"a test: no limit 'zzz'; choose from {listed}"


@pytest.mark.parametrize(
    ("memories", "most"), [(0, 1), (9, 1), (10, 1), (25, 2), (499, 49), (500, 50), (9000, 50)]
)
def test_an_audit_acts_on_a_tenth_and_at_most_fifty(memories: int, most: int) -> None:
    assert action_limit(Policy(), memories) == most


def test_a_policy_can_say_how_many_actions() -> None:
    assert action_limit(Policy(max_actions=70), 20) == 70
