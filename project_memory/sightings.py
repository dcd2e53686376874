"""What audits found, as the store keeps it: since when, and until when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sighting:
    """One finding over time; code, subject and place tell it from every other.

    Attributes:
        code: Name of the check.
        subject: Id of the memory, the label, or ``proposal N``.
        place: What tells several findings of one code on one subject apart; often empty.
        finding: The finding as it last was, as JSON data without what is named above.
        first_seen: UTC timestamp of the first audit that found it.
        last_changed: UTC timestamp of the last audit that found it different, gone or back.
        resolved_at: UTC timestamp of the audit that found it gone, or None while it is there.
    """

    code: str
    subject: str
    place: str
    finding: Mapping[str, Any]
    first_seen: str
    last_changed: str
    resolved_at: str | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what tells it from every other."""
        return self.code, self.subject, self.place
