"""What a check says: a finding, how much it matters, and what would put it right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class Severity(StrEnum):
    """How much a finding matters; the most serious comes first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Action:
    """A change that would put a finding right.

    Attributes:
        operation: Name of an operation of `services.batch`.
        arguments: Its members.
        keeps: Ids, or labels, that must stay for the action to lose nothing.
    """

    operation: str
    arguments: Mapping[str, Any]
    keeps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    Nothing of it changes because time passes: dates, not ages, so that an audit of a quiet store
    finds what it found before.

    Attributes:
        code: Name of the check, kebab-case.
        severity: How much it matters.
        subject: Id of the memory, the label, or ``proposal N``, that it is about.
        message: What is the matter, and what a person could do; never the value of a secret.
        evidence: The facts behind it, JSON data.
        action: What `audit --apply` would do, or None where only a person can decide.
        first_seen: UTC timestamp of the first audit that found it, where that is known.
        is_new: Whether that was this one, where that is known.
    """

    code: str
    severity: Severity
    subject: str
    message: str
    evidence: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    action: Action | None = None
    first_seen: str | None = None
    is_new: bool | None = None
