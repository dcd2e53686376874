"""What a project calls too old, too broad, too much."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """Limits that checks judge by; a field for each."""
