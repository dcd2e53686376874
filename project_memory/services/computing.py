"""What is worked out in the background: reported, and never acted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from project_memory.audit import Finding
from project_memory.services.audit_report import AuditReport, Resolved
from project_memory.services.store import StoreInfo


class Kind(StrEnum):
    """Kinds of work in the background."""

    AUDIT = "audit"


@dataclass(frozen=True, slots=True)
class Computed:
    """What has changed since the last time.

    Attributes:
        kind: Which work it was.
        time: UTC timestamp.
        new: What was found for the first time, most serious first.
        resolved: What was found the last time and is gone.
        counts: Severity -> number of findings there are, new or not.
        store: Where it was.
    """

    kind: Kind
    time: str
    new: tuple[Finding, ...]
    resolved: tuple[Resolved, ...]
    counts: Mapping[str, int]
    store: StoreInfo


def changes(report: AuditReport) -> Computed:
    """Return what a report that was kept tells for the first time."""
    new = tuple(f for f in report.findings if f.is_new)
    return Computed(Kind.AUDIT, report.time, new, report.resolved, report.counts, report.store)
