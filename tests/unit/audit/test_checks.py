"""The table of checks: codes, severities and what a run of all of them returns."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from factories import evidence, memory

from project_memory import audit
from project_memory.audit import CHECKS, Action, Evidence, Finding, Severity
from project_memory.duplicates import Pair
from project_memory.model import Actor, Authority, Label, Registry, Status, Usage, Uses
from project_memory.proposals import Proposal

UNUSED = Finding(
    "label-unused",
    Severity.NOTE,
    "area:lake",
    "no memory carries it; use it, or remove it",
    action=Action("remove_label", {"label": "area:lake"}),
)


def troubled() -> Evidence:
    """Return a project in which nearly every check finds something."""
    old = {"created_from_task": "t", "last_validated": "2020-01-01"}
    facts = [
        {"fact": "80", "key": "port", "status": "assumption"},
        {"fact": "81", "key": "port"},
        {"fact": "82", "expires": "2020-01-01"},
    ]
    against = {"contradicts": [{"id": "beta", "reason": "not both"}]}
    return evidence(
        memory(1, id="alpha", evidence=old, remembered_facts=facts, relationships=against),
        memory(2, id="beta", relationships={"contradicts": [{"id": "alpha", "reason": "n"}]}),
        memory(3, id="gamma", status="wrong", own_status=Status.WRONG, labels=["area:c"]),
        memory(4, id="delta", status="superseded", relationships={"superseded_by": ["eps"]}),
        memory(5, id="eps", relationships={"supersedes": ["delta"]}, pitfalls=["x" * 9000]),
        memory(7, id="eta", description="said a second time, word by word"),
        memory(8, id="theta", description="Said a second time, word by word"),
        memory(6, id="zeta", standing=True, pitfalls=["x" * 5300], labels=["area:z"]),
        registry=Registry({"area:lake": Label("area:lake"), "area:lakes": Label("area:lakes")}),
        twins=(Pair("alpha", "beta", 0.9), Pair("beta", "eta", 0.9)),
        usage=Usage({"beta": Uses(surfaced=90)}),
        proposals=(Proposal(1, Actor("bot", Authority.AGENT), "2020-01-01T00:00:00Z", 1, "note"),),
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


def test_a_finding_has_the_severity_that_the_table_says() -> None:
    found = audit.judge(troubled())
    assert len({finding.code for finding in found}) == 16
    assert {f.code: f.severity for f in found} == {f.code: CHECKS[f.code].severity for f in found}


def test_the_most_serious_come_first_then_by_code_and_subject() -> None:
    order = [Severity.ERROR, Severity.WARNING, Severity.NOTE]
    keys = [(order.index(f.severity), f.code, f.subject) for f in audit.judge(troubled())]
    assert keys == sorted(keys)


def test_a_quiet_project_is_judged_alike_the_day_after() -> None:
    known = troubled()
    later = replace(known, now=known.now + timedelta(days=1))
    assert audit.judge(known) == audit.judge(later)


def test_progress_counts_functions_in_their_order() -> None:
    told: list[tuple[int, int]] = []
    audit.judge(evidence(), progress=lambda done, of: told.append((done, of)))
    functions = len({check.function for check in CHECKS.values()})
    assert told == [(done, functions) for done in range(functions)]
