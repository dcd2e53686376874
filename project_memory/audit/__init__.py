"""Judge a store: checks over gathered evidence yield findings; nothing here acts or reads."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from project_memory.audit.checks import CHECKS, OF_FILES, OF_PROOF, Check, Function
from project_memory.audit.evidence import Evidence
from project_memory.audit.finding import Action, Finding, Severity
from project_memory.audit.plan import planned
from project_memory.audit.policy import Policy

__all__ = [
    "CHECKS",
    "OF_FILES",
    "OF_PROOF",
    "Action",
    "Check",
    "Evidence",
    "Finding",
    "Policy",
    "Progress",
    "Severity",
    "functions",
    "judge",
    "planned",
    "silent",
]

Progress: TypeAlias = Callable[[int, int], None]
"""Told how much is done, and of how much."""

_ORDER = tuple(Severity)


def silent(_done: int, _of: int) -> None:
    """Tell nobody."""


def judge(
    evidence: Evidence, codes: Collection[str] = CHECKS.keys(), progress: Progress = silent
) -> list[Finding]:
    """Return what the checks of these codes find: most serious first, then by code and subject.

    Args:
        evidence: What is judged.
        codes: Checks to make.
        progress: Told how many functions have run, and of how many.
    """
    chosen = functions(codes)
    found: list[Finding] = []
    for done, function in enumerate(chosen):
        progress(done, len(chosen))
        found += (finding for finding in function(evidence) if finding.code in codes)
    return sorted(found, key=_key)


def functions(codes: Collection[str]) -> list[Function]:
    """Return the functions of the checks of these codes, each once, in the order of the table."""
    return list(dict.fromkeys(CHECKS[code].function for code in CHECKS if code in codes))


def _key(finding: Finding) -> tuple[int, str, str, str]:
    return _ORDER.index(finding.severity), finding.code, finding.subject, finding.message
