"""Use cases that write files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from project_memory import services
from project_memory.app.questions import Questions
from project_memory.signatures import checked


@checked
class Exports(Questions):
    """What takes memories elsewhere."""

    def export_directory(
        self, path: str | Path, *, form: str = "directory", overwrite: bool = False
    ) -> services.exporting.ExportReport:
        """Write the project as a directory that diffs well. See `exporting.directory`."""
        with self._storage.read() as reader:
            day = self._clock().date()
            return services.exporting.directory(
                reader, self._project, Path(path), day, form=form, overwrite=overwrite
            )

    def export_file(
        self,
        path: str | Path,
        *,
        with_history: bool = True,
        overwrite: bool = False,
        in_lines: bool = False,
    ) -> services.exporting.ExportReport:
        """Write the project as one portable file. See `exporting.single_file`."""
        with self._storage.read() as reader:
            day = self._clock().date()
            return services.exporting.single_file(
                reader,
                self._project,
                Path(path),
                day,
                with_history=with_history,
                overwrite=overwrite,
                in_lines=in_lines,
            )

    def export_graph(
        self, path: str | Path, *, overwrite: bool = False
    ) -> services.exporting.ExportReport:
        """Write the file of the reference MCP memory server. See `passing_on.knowledge_graph`."""
        with self._storage.read() as reader:
            return services.passing_on.knowledge_graph(
                reader, self._project, Path(path), overwrite=overwrite
            )

    def export_section(self, path: str | Path, *, budget: int) -> services.exporting.ExportReport:
        """Write what to know into a section of a file. See `passing_on.section`."""
        return services.passing_on.section(
            Path(path), lambda most: self.brief(max_tokens=most), budget=budget
        )

    def portable(self, *, with_history: bool = True) -> dict[str, Any]:
        """Return the project as the portable file holds it. See `exporting.portable`."""
        with self._storage.read() as reader:
            return services.exporting.portable(reader, self._project, with_history=with_history)
