"""Revisions, one revision with its differences, and the difference of two versions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN = 3
"""Memories that a line of a list names."""


def _list_rows(history: Data) -> Iterator[tuple[object, ...]]:
    for revision in history["revisions"]:
        yield _cells(revision)


def _cells(revision: Data) -> tuple[object, ...]:
    return (
        revision["number"],
        revision["time"],
        revision["actor"],
        revision["operation"],
        " ".join((*revision["memories"], *revision["labels"], *_expected(revision))),
        revision.get("reason", ""),
    )


def _render_list(history: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    width = max((len(str(revision["number"])) for revision in history["revisions"]), default=0)
    for revision in history["revisions"]:
        undone = f" of {revision['undoes']}" if revision.get("undoes") else ""
        line = Text().append(f"{revision['number']:>{width}}", style="bold")
        line.append(f"  {revision['time']}", style="dim")
        line.append(f"  {revision['operation']}{undone}  ").append_text(_who(revision))
        about = [Text(name, style="cyan") for name in _shown(revision["memories"])]
        about += [Text(_labels(revision["labels"]))] if revision["labels"] else []
        about += [Text(question) for question in _shown(_expected(revision))]
        words.flowing(console, [line, *about], width + 2)
        if revision.get("reason"):
            words.inset(console, Text(revision["reason"]), width + 2)
    words.origin(console, history.get("store"))


def _expected(revision: Data) -> list[str]:
    return [f"expectation '{question}'" for question in revision["expectations"]]


def _shown(names: list[str]) -> list[str]:
    more = len(names) - _SHOWN
    return [*names[:_SHOWN], *([f"and {more} more"] if more > 0 else [])]


def _labels(names: list[str]) -> str:
    from project_memory.cli.views import words  # noqa: PLC0415

    return f"label {names[0]}" if len(names) == 1 else words.count(len(names), "label")


def _who(revision: Data) -> Any:
    from rich.text import Text  # noqa: PLC0415

    return Text(f"{revision['actor']} ({revision['authority']})", style="dim")


def _show_rows(detail: Data) -> Iterator[tuple[object, ...]]:
    for difference in detail["differences"]:
        for field, (before, after) in difference["fields"].items():
            yield difference["id"], field, _value(before), _value(after)


def _render_show(detail: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    _render_list({"revisions": [detail["revision"]]}, console)
    for difference in detail["differences"]:
        console.print()
        event = ""
        if difference.get("before") is None:
            event = "  made"
        elif difference.get("after") is None:
            event = "  deleted"
        console.print(words.named(difference["id"]).append(event, style="yellow"))
        render_fields(difference["fields"], console)
    console.print()
    words.origin(console, detail.get("store"))


def _diff_rows(difference: Data) -> Iterator[tuple[object, ...]]:
    for field, (before, after) in difference["fields"].items():
        yield field, _value(before), _value(after)


def _render_diff(difference: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    versions = f"  version {difference['old']} -> {difference['new']}"
    console.print(words.named(difference["id"]).append(versions))
    render_fields(difference["fields"], console)
    words.origin(console, difference.get("store"))


def _diff_remarks(difference: Data) -> Iterator[str]:
    if not difference["fields"]:
        yield "no difference"


def render_fields(fields: Data, console: Console) -> None:
    """Write each field with the lines that went and the lines that came."""
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    for field, (before, after) in fields.items():
        words.inset(console, Text(field, style="bold"), 2)
        gone, come = _lines(before), _lines(after)
        for mark, style, lines, others in (("-", "red", gone, come), ("+", "green", come, gone)):
            for line in lines:
                if line not in others:
                    words.inset(console, Text(f"{mark} {line}", style=style), 4)


def _lines(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{key}: {_value(item)}" for key, item in value.items() if item not in ([], None)]
    if isinstance(value, list):
        return [_value(item) for item in value]
    return [] if value is None else [_value(value)]


def _value(value: Any) -> str:
    """Return a JSON value on one line, strings without quotes."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


LIST = View(_list_rows, _render_list)
SHOW = View(_show_rows, _render_show)
DIFF = View(_diff_rows, _render_diff, _diff_remarks)
