"""What is said of the checks that memories carry."""

from __future__ import annotations

import pytest
from factories import evidence, memory

from project_memory import audit
from project_memory.audit import OF_PROOF, Finding, Severity
from project_memory.verdicts import Standing, Verdict

CONTRADICTED = Verdict(
    Standing.CONTRADICTED, "line 3 of 'a.py' holds 'x'", "see which is wrong", "a.py", 3, 1
)
UNDECIDED = Verdict(Standing.UNDECIDED, "'b.py' is binary", "name a file of text")


def found(**fields: object) -> list[Finding]:
    subject = memory(1, id="lake", **fields)
    told = evidence(subject, verdicts={"lake": (UNDECIDED, CONTRADICTED)})
    return audit.judge(told, OF_PROOF)


def test_what_does_not_hold_is_told() -> None:
    assert found() == [
        Finding(
            "check-contradicted",
            Severity.WARNING,
            "lake",
            "line 3 of 'a.py' holds 'x'; see which is wrong",
            {"path": "$.checks[1]", "file": "a.py", "line": 3},
        ),
        Finding(
            "check-undecided",
            Severity.NOTE,
            "lake",
            "'b.py' is binary; name a file of text",
            {"path": "$.checks[0]"},
        ),
    ]


@pytest.mark.parametrize("status", ["wrong", "superseded"])
def test_what_readers_do_not_take_for_true_is_left(status: str) -> None:
    assert found(status=status) == []
