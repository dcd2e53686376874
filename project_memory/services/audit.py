"""Audit a project: gather the evidence, let the checks judge it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from project_memory import audit
from project_memory.audit import CHECKS, Evidence, Finding, Policy, Severity
from project_memory.errors import InvalidInput
from project_memory.model import Clock, Project
from project_memory.ports import Reader
from project_memory.proposals import State
from project_memory.services.store import StoreInfo


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit found.

    Attributes:
        findings: Most serious first, then by code and subject.
        checked: How many memories were looked at, archived ones too.
        checks: Codes of the checks that were made.
        counts: Severity -> number of findings; every severity is there.
        store: Where it was.
    """

    findings: tuple[Finding, ...]
    checked: int
    checks: tuple[str, ...]
    counts: Mapping[str, int]
    store: StoreInfo


def run(
    reader: Reader, project: Project, info: StoreInfo, clock: Clock, codes: Collection[str] = ()
) -> AuditReport:
    """Return what the checks of these codes find; of every check where none is named.

    Raises:
        InvalidInput: there is no check of such a code.
    """
    chosen = _chosen(codes)
    evidence = _gathered(reader, project, clock)
    findings = tuple(audit.judge(evidence, chosen))
    severities = Counter(finding.severity for finding in findings)
    counts = {severity.value: severities[severity] for severity in Severity}
    return AuditReport(findings, len(evidence.memories), chosen, counts, info)


def _chosen(codes: Collection[str]) -> tuple[str, ...]:
    for code in codes:
        if code not in CHECKS:
            raise InvalidInput(f"no check '{code}'; choose from {', '.join(CHECKS)}")
    return tuple(code for code in CHECKS if code in codes or not codes)


def _gathered(reader: Reader, project: Project, clock: Clock) -> Evidence:
    return Evidence(
        memories={memory.id: memory for memory in reader.memories(project.key)},
        registry=reader.registry(project.key),
        usage=reader.usage(project.key),
        policy=Policy(),
        now=clock(),
        proposals=tuple(reader.proposals(project.key, State.WAITING)),
    )
