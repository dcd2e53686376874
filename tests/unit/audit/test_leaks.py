"""Secrets that an older version let in are told, and never repeated."""

from __future__ import annotations

from dataclasses import asdict

from factories import evidence, memory

from project_memory import audit
from project_memory.audit import CHECKS, Finding, Severity
from project_memory.model import Label, Registry
from project_memory.staleness import Fate, FileState

# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


def test_a_secret_is_told_by_place_and_rule() -> None:
    leaking = memory(id="lake", triggers=[f"export TOKEN={TOKEN}"])
    assert audit.judge(evidence(leaking), ["secret"]) == [
        Finding(
            "secret",
            Severity.ERROR,
            "lake",
            "$.triggers[0] looks like a secret (rule 'github-token'); make it invalid where it is "
            "used, take it out, then purge the history that holds it",
            {"path": "$.triggers[0]", "rule": "github-token"},
        )
    ]


def test_archived_memories_and_labels_are_searched_too() -> None:
    archived = memory(id="lake", tags=[TOKEN], archived_at="2026-02-01T00:00:00Z")
    labels = Registry({"area:lake": Label("area:lake", f"log in with {TOKEN}")})
    found = audit.judge(evidence(archived, registry=labels), ["secret"])
    assert [(f.subject, f.evidence["path"]) for f in found] == [
        ("area:lake", "description"),
        ("lake", "$.tags[0]"),
    ]


def test_no_check_repeats_a_secret() -> None:
    fact = {"fact": TOKEN, "key": TOKEN, "status": "assumption"}
    facts = [fact, {"fact": "other", "key": TOKEN}, {"fact": TOKEN, "expires": "2020-01-01"}]
    said = {"created_from_task": TOKEN, "last_validated": "2020-01-01"}
    leaking = memory(id="lake", remembered_facts=facts, evidence=said, description=TOKEN)
    found = audit.judge(evidence(leaking))
    assert {"secret", "contradictory-facts", "expired-fact"} <= {f.code for f in found}
    assert {f.code for f in found} <= CHECKS.keys()
    assert [f for f in found if TOKEN in str(asdict(f))] == []


def test_a_path_with_a_secret_in_it_is_not_repeated() -> None:
    leaking = memory(id="lake", scope={"project": "demo", "files": [f"src/{TOKEN}.py"]})
    missing = {"lake": (FileState(f"src/{TOKEN}.py", Fate.MISSING),)}
    found = audit.judge(evidence(leaking, files=missing), ["file-missing", "secret"])
    assert [finding.code for finding in found] == ["secret", "file-missing"]
    assert [f for f in found if TOKEN in str(asdict(f))] == []
