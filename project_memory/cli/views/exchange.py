"""What an export wrote, and what an import took in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def _export_rows(report: Data) -> Iterator[tuple[object, ...]]:
    yield report["path"], report["memories"], report["labels"]


def _render_export(report: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    memories = words.count(report["memories"], "memory", "memories")
    console.print(f"{memories} and {words.count(report['labels'], 'label')} to {report['path']}")


def _import_rows(report: Data) -> Iterator[tuple[object, ...]]:
    for each in report["items"]:
        yield each["source"], each["original"], each["outcome"], each.get("id", "")
    if report["items"]:
        return
    for change in ("created", "updated"):
        for name in report[change]:
            yield name, change
    for label in report["labels"]:
        yield label, "label"


def _render_import(report: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    if report["items"]:
        console.print(_items(report["items"]))
    read = words.count(report["read"], "memory", "memories")
    older = f", {len(report['kept'])} older and not taken" if report["kept"] else ""
    console.print(
        f"{read} read: {len(report['created'])} created, {len(report['updated'])} updated, "
        f"{report['unchanged']} unchanged{older}; "
        f"{words.count(len(report['labels']), 'label')} added"
    )


def _items(items: Sequence[Data]) -> Table:
    """Return a table of what becomes what."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for heading in ("source", "there", "outcome", "memory"):
        table.add_column(heading, overflow="fold")
    for each in items:
        table.add_row(each["source"], each["original"], each["outcome"], each.get("id", ""))
    return table


def _import_remarks(report: Data) -> Iterator[str]:
    if report["receipt"]["dry_run"]:
        yield "dry run: nothing was changed"
    for each in report["items"]:
        if each["outcome"] == "refused":
            yield f"warning: refused {each['source']}: {each['why']}"
    near = [each for each in report["receipt"]["near_duplicates"] if report["items"]]
    for each in near:
        yield f"'{each['id']}' says nearly what '{each['twin']}' says"
    if report["kept"]:
        yield f"older than here, not taken: {_some(report['kept'])}; --take-older takes them too"
    yield from report["repairs"]


def _export_remarks(report: Data) -> Iterator[str]:
    for file in report["removed"]:
        yield f"removed {file}: its memory is gone"
    for file in report["unknown"]:
        yield f"left {file} alone: it is no part of the project, or was edited since"
    if report["expired"]:
        yield f"expired facts in {_some(report['expired'])}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"{', '.join(names[:8])}{more}"


EXPORT = View(_export_rows, _render_export, _export_remarks)
IMPORT = View(_import_rows, _render_import, _import_remarks)
