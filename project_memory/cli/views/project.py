"""A project and its settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(found: Data) -> Iterator[tuple[object, ...]]:
    yield "name", found["name"]
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


VIEW = View(_rows, _render)
