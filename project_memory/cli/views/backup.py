"""A backup that was made, and one that was put in place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _made_rows(made: Data) -> Iterator[tuple[object, ...]]:
    yield "file", made["file"]
    for old in made["removed"]:
        yield "removed", old


def _render_made(made: Data, console: Console) -> None:
    console.print(f"{_counts(made)}; {made['bytes']} bytes")
    console.print(f"in {made['file']}", style="dim", soft_wrap=True)
    for old in made["removed"]:
        console.print(f"removed {old}", style="dim", soft_wrap=True)


def _restored_rows(done: Data) -> Iterator[tuple[object, ...]]:
    yield "store", done["store"]
    yield "file", done["file"]
    if "kept" in done:
        yield "kept", done["kept"]
    yield from done["rows"].items()


def _render_restored(done: Data, console: Console) -> None:
    console.print(f"{_counts(done)}; all {sum(done['rows'].values())} rows were compared")
    console.print(f"from {done['file']}", style="dim", soft_wrap=True)
    console.print(f"to {done['store']}", style="dim", soft_wrap=True)


def _restored_remarks(done: Data) -> Iterator[str]:
    if "kept" in done:
        yield f"what was there before is in '{done['kept']}'"
    if done["revoked"]:
        yield f"revoked since, and still so: {', '.join(done['revoked'])}"
    if done["purged"]:
        yield "warning: what was purged since the backup was made is back; purge it again"


def _counts(done: Data) -> str:
    rows = done["rows"]
    return (
        f"projects: {rows['projects']}, memories: {rows['memories']}, revisions: "
        f"{rows['revisions']}"
    )


BACKUP = View(_made_rows, _render_made)
RESTORED = View(_restored_rows, _render_restored, _restored_remarks)
