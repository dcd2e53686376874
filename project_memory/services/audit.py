"""Audit a project: gather the evidence, let the checks judge it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from project_memory import audit
from project_memory.audit import CHECKS, Policy, Severity, policy
from project_memory.checkout import configuration
from project_memory.errors import InvalidInput
from project_memory.model import Clock, Project, timestamp
from project_memory.ports import Reader
from project_memory.services import gathering
from project_memory.services.audit_report import AuditReport, Request
from project_memory.services.store import StoreInfo

SETTING = "audit"
"""Name of the project's setting that holds limits of its policy."""


def run(
    reader: Reader, project: Project, info: StoreInfo, clock: Clock, request: Request
) -> AuditReport:
    """Return what the checks find.

    Raises:
        InvalidInput: there is no check of such a code, or a limit is unknown or out of range.
    """
    limits = policy_of(project, request)
    chosen = _chosen(request.codes, limits)
    evidence = gathering.gathered(reader, project, clock(), limits, chosen)
    findings = tuple(audit.judge(evidence, chosen))
    severities = Counter(finding.severity for finding in findings)
    counts = {severity.value: severities[severity] for severity in Severity}
    return AuditReport(
        findings=findings,
        resolved=(),
        checked=len(evidence.memories),
        checks=chosen,
        counts=counts,
        policy=limits,
        time=timestamp(evidence.now),
        store=info,
    )


def policy_of(project: Project, request: Request) -> Policy:
    """Return the policy: defaults, then the project's settings, the checkout's, the request's.

    Raises:
        InvalidInput: a limit is unknown or out of range, or pyproject.toml is not TOML.
    """
    table = configuration.settings(request.checkout) if request.checkout else {}
    stored, place = project.settings.get(SETTING, {}), f"setting '{SETTING}' of '{project.name}'"
    if not isinstance(stored, Mapping):
        raise InvalidInput(f"{place} is {stored!r}; write an object of limits")
    found = policy.with_values(Policy(), stored, place)
    source = f"[{configuration.TABLE}] in {configuration.FILE}"
    found = policy.with_values(found, table, source)
    return policy.with_values(found, request.limits, "limits")


def _chosen(codes: Collection[str], limits: Policy) -> tuple[str, ...]:
    for code in (*codes, *limits.ignore):
        if code not in CHECKS:
            raise InvalidInput(f"no check '{code}'; choose from {', '.join(CHECKS)}")
    return tuple(c for c in CHECKS if (c in codes if codes else c not in limits.ignore))
