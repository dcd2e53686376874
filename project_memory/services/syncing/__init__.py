"""Bring a project and a folder to say the same, whichever side changed what."""

from project_memory.services.syncing.report import SyncConflict, SyncReport
from project_memory.services.syncing.run import Run

__all__ = ["Run", "SyncConflict", "SyncReport"]
