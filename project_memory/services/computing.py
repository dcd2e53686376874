"""What is worked out in the background: reported, and never acted on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from project_memory.audit import CHECKS, OF_FILES, OF_PROOF, Finding
from project_memory.jobs import STORE, Job, Kind
from project_memory.ports import Reader
from project_memory.services.audit_report import AuditReport, Resolved
from project_memory.services.store import StoreInfo

_OF_TWINS = frozenset({"duplicate", "near-duplicate"})

CODES: Mapping[Kind, tuple[str, ...]] = {
    Kind.AUDIT: tuple(code for code in CHECKS if code not in OF_FILES | OF_PROOF | _OF_TWINS),
    Kind.STALENESS: tuple(code for code in CHECKS if code in OF_FILES | OF_PROOF),
    Kind.DUPLICATES: tuple(code for code in CHECKS if code in _OF_TWINS),
}
"""Kind -> checks of the audit that it makes; each check is of one kind."""


@dataclass(frozen=True, slots=True)
class JobState:
    """A job as it is shown.

    Attributes:
        kind: Which work.
        project: Name of the project; None: the whole store.
        state: ``running``, ``failing``, ``done`` or ``waiting`` (never done).
        started_at: UTC timestamp of when it was last taken.
        succeeded_at: UTC timestamp of its last success.
        due_at: UTC timestamp of the next time.
        failures: How often it has failed since its last success.
        failing_since: UTC timestamp of the first of these failures.
        error: What the last of them said.
        worker: Who is at it.
        result: What its last success tells.
    """

    kind: Kind
    project: str | None
    state: str
    started_at: str | None = None
    succeeded_at: str | None = None
    due_at: str | None = None
    failures: int = 0
    failing_since: str | None = None
    error: str | None = None
    worker: str | None = None
    result: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Computed:
    """What has changed since the last time.

    Attributes:
        time: UTC timestamp.
        jobs: What was done, or, where that was asked, every job.
        new: What was found for the first time, most serious first.
        resolved: What was found the last time and is gone.
        counts: Severity -> number of findings there are, new or not.
        store: Where it was.
    """

    time: str
    jobs: tuple[JobState, ...]
    new: tuple[Finding, ...]
    resolved: tuple[Resolved, ...]
    counts: Mapping[str, int]
    store: StoreInfo


def told(report: AuditReport) -> dict[str, Any]:
    """Return what is kept with the job of a report that was kept itself."""
    return {
        "counts": dict(report.counts),
        "new": sum(finding.is_new is True for finding in report.findings),
        "resolved": len(report.resolved),
    }


def computed(
    time: str, jobs: Iterable[JobState], reports: Collection[AuditReport], store: StoreInfo
) -> Computed:
    """Return what reports that were kept tell for the first time."""
    findings = [finding for report in reports for finding in report.findings]
    order = {severity: place for place, severity in enumerate(("error", "warning", "note"))}
    new = sorted((f for f in findings if f.is_new), key=lambda f: order[f.severity.value])
    counts = {name: sum(f.severity.value == name for f in findings) for name in order}
    resolved = tuple(gone for report in reports for gone in report.resolved)
    return Computed(time, tuple(jobs), tuple(new), resolved, counts, store)


def states(reader: Reader, now: str, project: int | None = None) -> list[JobState]:
    """Return every job, or those of one project and of the whole store, by project and kind."""
    names = {each.key: each.name for each in reader.projects()}
    return [
        state(job, names.get(job.project), now)
        for job in reader.jobs()
        if (job.project in names or job.project == STORE)
        and (project is None or job.project in (project, STORE))
    ]


def state(job: Job, project: str | None, now: str) -> JobState:
    """Return a job as it is shown."""
    held = job.is_held(now)
    named = "failing" if job.failures else "done" if job.succeeded_at else "waiting"
    return JobState(
        kind=job.kind,
        project=project,
        state="running" if held else named,
        started_at=job.started_at,
        succeeded_at=job.succeeded_at,
        due_at=job.due_at,
        failures=job.failures,
        failing_since=job.failing_since,
        error=job.error,
        worker=job.worker if held else None,
        result=job.result,
    )
