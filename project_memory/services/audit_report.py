"""What is asked of an audit, and what it answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from project_memory.audit import Finding, Policy, Progress, silent
from project_memory.model import Receipt
from project_memory.services.store import StoreInfo


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of an audit.

    Attributes:
        codes: Checks to make; none for all that the policy does not ignore.
        checkout: Top of a checkout of the project's code, or None.
        limits: Limits of the policy that hold for this audit, by field.
        progress: Told how many checks are made, and of how many.
    """

    codes: Collection[str] = ()
    checkout: Path | None = None
    limits: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    progress: Progress = silent


@dataclass(frozen=True, slots=True)
class Resolved:
    """A finding that is gone: what it was about, and when it was first seen (UTC)."""

    code: str
    subject: str
    first_seen: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of an audit's actions.

    Attributes:
        findings: Those acted on, or that would be acted on by no dry run.
        left: How many further findings have an action.
        limit: How many actions one audit may apply.
        receipt: What changed.
        undo: Command line that takes it all back, or None where nothing changed.
    """

    findings: tuple[Finding, ...]
    left: int
    limit: int
    receipt: Receipt
    undo: str | None


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit found.

    Attributes:
        findings: Most serious first, then by code and subject.
        resolved: What the last audit found and this one did not; empty before `sightings.keep`.
        checked: How many memories were looked at, archived ones too.
        checks: Codes of the checks that were made.
        counts: Severity -> number of findings; every severity is there.
        policy: What it was judged by.
        time: UTC timestamp of the audit.
        store: Where it was.
        applied: What became of the actions; None where nobody asked for them.
        notes: What could not be looked at, and why.
    """

    findings: tuple[Finding, ...]
    resolved: tuple[Resolved, ...]
    checked: int
    checks: tuple[str, ...]
    counts: Mapping[str, int]
    policy: Policy
    time: str
    store: StoreInfo
    applied: Applied | None = None
    notes: tuple[str, ...] = ()
