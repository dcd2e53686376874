"""Gather what checks judge: from the store, and what must be worked out for those being made."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from project_memory import documents, duplicates
from project_memory.audit import Evidence, Policy, Progress, silent
from project_memory.audit.checks.retention import due
from project_memory.audit.evidence import current
from project_memory.duplicates import Imprint
from project_memory.model import Project
from project_memory.ports import Reader
from project_memory.proposals import State

STEPS = 3
"""Reading, working out what is protected, and comparing all texts."""

_COMPARING = frozenset({"near-duplicate"})
_RETAINING = frozenset({"silent", "earned", "superseded-expired"})


def gathered(
    reader: Reader,
    project: Project,
    now: datetime,
    limits: Policy,
    codes: Collection[str],
    *,
    progress: Progress = silent,
) -> Evidence:
    """Return what the checks of these codes judge; `progress` is told of `STEPS` steps."""
    progress(0, STEPS)
    evidence = Evidence(
        memories={memory.id: memory for memory in reader.memories(project.key)},
        registry=reader.registry(project.key),
        usage=reader.usage(project.key),
        policy=limits,
        now=now,
        proposals=tuple(reader.proposals(project.key, State.WAITING)),
    )
    progress(1, STEPS)
    if not _RETAINING.isdisjoint(codes):
        evidence = _with_protected(evidence)
    progress(2, STEPS)
    if not _COMPARING.isdisjoint(codes):
        evidence = _with_twins(evidence, reader.imprints(project.key))
    return evidence


def _with_protected(evidence: Evidence) -> Evidence:
    from project_memory.services import protection  # noqa: PLC0415  # numpy

    protect, today = evidence.policy.protect, evidence.now.date()
    # to evaluate the expression for every memory would take half as long as all checks
    found = protection.protected(due(evidence), evidence.registry, protect, today)
    return replace(evidence, protected=found)


def _with_twins(evidence: Evidence, kept: Mapping[str, tuple[tuple[int, ...], bytes]]) -> Evidence:
    from project_memory.duplicates.pairs import near_pairs  # noqa: PLC0415  # numpy

    def text(name: str) -> str:
        return documents.lesson(evidence.memories[name].document)

    told = {memory.id: Imprint(*kept.get(memory.id, ())) for memory in current(evidence)}
    lacking = [name for name, imprint in told.items() if not imprint.signs]
    told.update(zip(lacking, duplicates.imprints([text(name) for name in lacking]), strict=True))
    return replace(evidence, twins=tuple(near_pairs(told, text)))
