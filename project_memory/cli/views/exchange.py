"""What an export wrote, and what an import took in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View
from project_memory.cli.views import receipt

if TYPE_CHECKING:
    from rich.console import Console


def _export_rows(report: Data) -> Iterator[tuple[object, ...]]:
    yield report["path"], report["memories"], report["labels"]


def _render_export(report: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    memories = words.count(report["memories"], "memory", "memories")
    console.print(f"{memories} and {words.count(report['labels'], 'label')} to {report['path']}")


EXPORT = View(_export_rows, _render_export)
IMPORT = receipt.VIEW
