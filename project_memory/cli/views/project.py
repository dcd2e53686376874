"""A project and its settings; the projects of a store; one that is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(found: Data) -> Iterator[tuple[object, ...]]:
    yield "name", found["name"]
    if "archived_at" in found:
        yield "archived", found["archived_at"]
    for repository in found["repository_ids"]:
        yield "repository", repository
    for name, value in found["settings"].items():
        yield f"settings.{name}", _text(value)


def _render(found: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    words.fields(console, ((str(name), str(value)) for name, value in _rows(found)))
    words.origin(console, found["store"])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _listed_rows(found: Data) -> Iterator[tuple[object, ...]]:
    for each in found["projects"]:
        repositories = " ".join(each["repository_ids"])
        yield each["name"], each["revision"], each.get("archived_at", ""), repositories


def _render_listed(found: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    for each in found["projects"]:
        archived = f", archived since {each['archived_at']}" if "archived_at" in each else ""
        words.indented(console, f"{each['name']}: revision {each['revision']}{archived}")
        for repository in each["repository_ids"]:
            words.indented(console, f"  {repository}", style="dim")
    console.print(found["store"], style="dim", soft_wrap=True)


def _removed_rows(done: Data) -> Iterator[tuple[object, ...]]:
    yield "removed", done["name"]
    yield "memories", done["memories"]
    yield "revisions", done["revisions"]
    yield "backup", done["backup"]


def _render_removed(done: Data, console: Console) -> None:
    console.print(
        f"{done['name']} is gone, with memories: {done['memories']}, revisions: "
        f"{done['revisions']}"
    )
    console.print(done["store"], style="dim", soft_wrap=True)


def _removed_remarks(done: Data) -> Iterator[str]:
    yield f"the store as it was before is in '{done['backup']}'"


VIEW = View(_rows, _render)
LISTED = View(_listed_rows, _render_listed)
REMOVED = View(_removed_rows, _render_removed, _removed_remarks)
