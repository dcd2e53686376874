"""Judge a store: checks over gathered evidence yield findings; nothing here acts or reads."""

from __future__ import annotations

from collections.abc import Collection

from project_memory.audit.checks import CHECKS, OF_FILES, Check
from project_memory.audit.evidence import Evidence
from project_memory.audit.finding import Action, Finding, Severity
from project_memory.audit.plan import planned
from project_memory.audit.policy import Policy

__all__ = [
    "CHECKS",
    "OF_FILES",
    "Action",
    "Check",
    "Evidence",
    "Finding",
    "Policy",
    "Severity",
    "judge",
    "planned",
]

_ORDER = tuple(Severity)


def judge(evidence: Evidence, codes: Collection[str] = CHECKS.keys()) -> list[Finding]:
    """Return what the checks of these codes find: most serious first, then by code and subject."""
    functions = dict.fromkeys(check.function for code, check in CHECKS.items() if code in codes)
    found = [finding for function in functions for finding in function(evidence)]
    return sorted((f for f in found if f.code in codes), key=_key)


def _key(finding: Finding) -> tuple[int, str, str, str]:
    return _ORDER.index(finding.severity), finding.code, finding.subject, finding.message
