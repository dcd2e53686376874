"""Which store and project answered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """Where an answer came from: the store without credentials, the project, its revision."""

    url: str
    project: str
    revision: int
