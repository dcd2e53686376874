"""Revisions, one revision with its differences, and the difference of two versions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _list_rows(history: Data) -> Iterator[tuple[object, ...]]:
    for revision in history["revisions"]:
        yield _cells(revision)


def _cells(revision: Data) -> tuple[object, ...]:
    return (
        revision["number"],
        revision["time"],
        revision["actor"],
        revision["operation"],
        " ".join((*revision["memories"], *revision["labels"])),
        revision.get("reason", ""),
    )


def _render_list(history: Data, console: Console) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold")
    table.add_column(no_wrap=True, style="dim")
    table.add_column()
    table.add_column(overflow="fold")
    for revision in history["revisions"]:
        undone = f" of {revision['undoes']}" if revision.get("undoes") else ""
        about = Text().append(words.few(revision["memories"], 3), style="cyan")
        about.append(_labels(revision["labels"]))
        about.append(f"  {revision['reason']}" if revision.get("reason") else "")
        operation = f"{revision['operation']}{undone}"
        number, time = str(revision["number"]), revision["time"]
        table.add_row(number, time, operation, about, _who(revision))
    console.print(table)
    words.origin(console, history.get("store"))


def _labels(names: list[str]) -> str:
    if not names:
        return ""
    from project_memory.cli.views import words  # noqa: PLC0415

    return f"  label {names[0]}" if len(names) == 1 else f"  {words.count(len(names), 'label')}"


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
