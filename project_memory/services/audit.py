"""Audit a project: gather the evidence, let the checks judge it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from project_memory import audit
from project_memory.audit import CHECKS, Policy, Progress, Severity, policy
from project_memory.checkout import configuration
from project_memory.errors import InvalidInput
from project_memory.model import Clock, Project, timestamp
from project_memory.ports import Reader
from project_memory.services import code, gathering
from project_memory.services.audit_report import AuditReport, Request
from project_memory.services.collecting import no_collection
from project_memory.services.store import StoreInfo, existing_project

SETTING = "audit"
"""Name of the project's setting that holds limits of its policy."""


def run(
    reader: Reader, project: Project, info: StoreInfo, clock: Clock, request: Request
) -> AuditReport:
    """Return what the checks find.

    Raises:
        InvalidInput: there is no check of such a code, a limit is unknown or out of range, or a
            check that is asked for by name needs a checkout and has none.
    """
    limits = policy_of(existing_project(reader, project.name), request)  # as it is set by now
    chosen = _chosen(request.codes, limits)
    gathers, judges = _two_stages(request.progress, len(audit.functions(chosen)))
    with no_collection():
        evidence = gathering.gathered(reader, project, clock(), limits, chosen, progress=gathers)
        told = code.beside(evidence, request.checkout, chosen, request.codes)
        findings = tuple(audit.judge(told.evidence, told.codes, judges))
    severities = Counter(finding.severity for finding in findings)
    counts = {severity.value: severities[severity] for severity in Severity}
    return AuditReport(
        findings=findings,
        resolved=(),
        checked=len(evidence.memories),
        checks=told.codes,
        counts=counts,
        policy=limits,
        time=timestamp(evidence.now),
        store=info,
        notes=told.notes,
    )


def policy_of(project: Project, request: Request) -> Policy:
    """Return the policy: defaults, then the project's settings, the checkout's, the request's.

    Raises:
        InvalidInput: a limit is unknown, out of range or not for a checkout to set, or
            pyproject.toml is not TOML.
    """
    table = configuration.settings(request.checkout) if request.checkout else {}
    stored, place = project.settings.get(SETTING, {}), f"setting '{SETTING}' of '{project.name}'"
    if not isinstance(stored, Mapping):
        raise InvalidInput(f"{place} is {stored!r}; write an object of limits")
    own = policy.with_values(Policy(), stored, place)
    source = f"[{configuration.TABLE}] in {configuration.FILE}"
    found = policy.with_values(own, table, source)
    if found.max_actions != own.max_actions:
        raise InvalidInput(
            f"{source}: 'max-actions' is not for a checkout to set, which many can write; use "
            "--max-actions, or the project's setting 'audit'"
        )
    return policy.with_values(found, request.limits, "limits")


def _two_stages(progress: Progress, functions: int) -> tuple[Progress, Progress]:
    """Return whom gathering tells, and whom judging, of their parts of the whole."""
    total = gathering.STEPS + functions
    return (
        lambda done, _of: progress(done, total),
        lambda done, _of: progress(gathering.STEPS + done, total),
    )


def _chosen(codes: Collection[str], limits: Policy) -> tuple[str, ...]:
    for name in (*codes, *limits.ignore):
        if name not in CHECKS:
            raise InvalidInput(f"no check '{name}'; choose from {', '.join(CHECKS)}")
    return tuple(c for c in CHECKS if (c in codes if codes else c not in limits.ignore))
