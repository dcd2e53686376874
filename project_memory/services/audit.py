"""Audit a project: gather the evidence, let the checks judge it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date

from project_memory import audit, documents
from project_memory.audit import CHECKS, Evidence, Policy, Severity, policy
from project_memory.audit.evidence import current
from project_memory.checkout import configuration
from project_memory.duplicates import Pair
from project_memory.errors import InvalidInput
from project_memory.model import Clock, Memory, Project, Registry, timestamp
from project_memory.ports import Reader
from project_memory.proposals import State
from project_memory.services.audit_report import AuditReport, Request
from project_memory.services.store import StoreInfo

NEAR_DUPLICATE = "near-duplicate"
"""Code of the check that needs every text compared."""

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
    evidence = _gathered(reader, project, clock, limits)
    if NEAR_DUPLICATE in chosen:
        evidence = replace(evidence, twins=_twins(evidence))
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


def _gathered(reader: Reader, project: Project, clock: Clock, limits: Policy) -> Evidence:
    memories = {memory.id: memory for memory in reader.memories(project.key)}
    registry, now = reader.registry(project.key), clock()
    return Evidence(
        memories=memories,
        registry=registry,
        usage=reader.usage(project.key),
        policy=limits,
        now=now,
        protected=_protected(memories, registry, limits, now.date()),
        proposals=tuple(reader.proposals(project.key, State.WAITING)),
    )


def _twins(evidence: Evidence) -> tuple[Pair, ...]:
    from project_memory.duplicates.pairs import near_pairs  # noqa: PLC0415  # numpy

    texts = {memory.id: documents.lesson(memory.document) for memory in current(evidence)}
    return tuple(near_pairs(texts))


def _protected(
    memories: Mapping[str, Memory], registry: Registry, limits: Policy, today: date
) -> frozenset[str]:
    from project_memory.services import protection  # noqa: PLC0415  # numpy

    return protection.protected(memories.values(), registry, limits.protect, today)
