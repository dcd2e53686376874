"""The lessons that a change of the code touches."""

from project_memory.services.affected.report import Affected, Kind, Lesson, Reason
from project_memory.services.affected.run import Place, of_files, since, staged

__all__ = ["Affected", "Kind", "Lesson", "Place", "Reason", "of_files", "since", "staged"]
