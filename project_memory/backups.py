"""Backups, as the store keeps them: so that a purge can name them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Backup:
    """Where a copy of a store is.

    Attributes:
        made_at: UTC timestamp.
        host: Name of the machine that wrote it.
        file: Its absolute path there.
    """

    made_at: str
    host: str
    file: str


def stamp(time: str) -> str:
    """Return a UTC timestamp as names of files hold it, ``20260131T093000Z``."""
    return time.replace("-", "").replace(":", "")
