"""Results to stdout as JSON, as tab-separated lines or made to be read; remarks to stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from project_memory.cli import neutral
from project_memory.cli.settings import settings
from project_memory.model import as_json

if TYPE_CHECKING:  # rich costs 60 ms, and only a terminal needs it
    from rich.console import Console

Data: TypeAlias = Mapping[str, Any]
"""A result in the JSON form that `--json` prints."""


def _no_remarks(_: Data) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class View:
    """How one kind of result is written.

    Attributes:
        rows: One sequence of cells for each record.
        render: Writes it for a person.
        remarks: Sentences for stderr: what was left out, what to beware of.
    """

    rows: Callable[[Data], Iterable[Sequence[object]]]
    render: Callable[[Data, Console], None]
    remarks: Callable[[Data], Iterable[str]] = _no_remarks


def emit(result: object, view: View) -> None:
    """Write a result in the form that the caller and the channel ask for."""
    data = as_json(result)
    if settings().json:
        write_json(data)
        return
    if sys.stdout.isatty():
        write(_rendered(neutral.data(data), view))
    else:
        write("".join("\t".join(map(neutral.cell, row)) + "\n" for row in view.rows(data)))
    for remark in view.remarks(data):
        say(remark)


def write_json(data: Any) -> None:
    """Write one JSON document: indented on a terminal, else on one line."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    indent = 2 if sys.stdout.isatty() else None
    encoded = json.dumps(data, ensure_ascii=encoding != "utf8", indent=indent)
    write(neutral.json_text(encoded) + "\n")


def write(text: str) -> None:
    """Write to stdout at once; a reader that went away is no failure."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()


def say(remark: str) -> None:
    """Write a remark to stderr, unless the caller wants quiet."""
    if not settings().quiet:
        click.echo(marked(neutral.text(remark), "warning:", "yellow"), err=True)


def marked(text: str, start: str, colour: str) -> str:
    """Return text for stderr with its start in colour, if it begins so and colour is wanted."""
    if os.environ.get("NO_COLOR") or not text.startswith(start):
        return text
    return click.style(start, fg=colour, bold=True) + text[len(start) :]


def discard_stdout() -> None:
    """Send the rest of stdout nowhere, so that the interpreter's last flush is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _rendered(data: Data, view: View) -> str:
    from rich.console import Console  # noqa: PLC0415

    console = Console(markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        view.render(data, console)
    return captured.get()
