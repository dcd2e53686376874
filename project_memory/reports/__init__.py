"""Report forms that other programs read: rows in, text or JSON data out; no files, no clock."""

from project_memory.reports import annotations, markdown, sarif
from project_memory.reports.row import Entry, Row

__all__ = ["Entry", "Row", "annotations", "markdown", "sarif"]
