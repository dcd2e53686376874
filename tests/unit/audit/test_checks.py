"""The table of checks: codes, severities and what a run of all of them returns."""

from __future__ import annotations

import re

import pytest
from factories import evidence, memory

from project_memory import audit
from project_memory.audit import CHECKS, Finding, Severity
from project_memory.model import Label, Registry

UNUSED = Finding(
    "label-unused", Severity.NOTE, "area:lake", "no memory carries it; use it, or remove it"
)


@pytest.mark.parametrize("code", CHECKS)
def test_a_code_is_kebab_case_and_explained_in_a_sentence(code: str) -> None:
    assert re.fullmatch("[a-z]+(-[a-z]+)*", code)
    assert CHECKS[code].explanation.endswith(".")


def test_an_empty_project_has_no_finding() -> None:
    assert audit.judge(evidence()) == []


def test_only_the_named_checks_are_made() -> None:
    known = evidence(memory(id="lake"), registry=Registry({"area:lake": Label("area:lake")}))
    assert audit.judge(known, ["label-unused"]) == [UNUSED]
    assert audit.judge(known, ["superseded-removable"]) == []
