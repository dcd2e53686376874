"""What a mutation changed, or would change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN = 20
"""Memories that a person is shown; --json names them all."""


def _rows(receipt: Data) -> Iterator[tuple[object, ...]]:
    for touched in receipt["memories"]:
        yield (
            touched["id"],
            touched["change"],
            touched["version"],
            touched.get("status", ""),
            touched.get("previous_id", ""),
        )
    for label in receipt["labels"]:
        yield label, "label"
    for expectation in receipt["expectations"]:
        yield expectation, "expectation"


def _render(receipt: Data, console: Console) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(overflow="fold")
    for touched in receipt["memories"][:_SHOWN]:
        status = touched.get("status", "")
        before = touched.get("previous_id")
        table.add_row(
            Text(touched["change"], style="green"),
            words.named(touched["id"]).append(f"  was {before}" if before else ""),
            Text(f"version {touched['version']}", style="dim"),
            Text(status, style=words.STATUS_STYLE.get(status, "")),
        )
    if table.row_count:
        console.print(table)
    hidden = len(receipt["memories"]) - _SHOWN
    if hidden > 0:
        console.print(f"and {words.count(hidden, 'more memory', 'more memories')}")
    if receipt["labels"]:
        console.print(Text("labels  ", style="green") + Text(words.few(receipt["labels"])))
    if receipt["expectations"]:
        console.print(
            Text("expectations  ", style="green") + Text(words.few(receipt["expectations"]))
        )
    where = f"project {receipt['project']}, revision {receipt['revision']}"
    console.print(Text(where, style="dim"))


def _remarks(receipt: Data) -> Iterator[str]:
    if receipt["dry_run"]:
        yield "dry run: nothing was changed"
    if receipt.get("undoes"):
        yield f"takes back revision {receipt['undoes']}"
    yield from receipt["notes"]
    for problem in receipt["warnings"]:
        yield f"warning: {problem['path']}: {problem['message']} [{problem['code']}]"
    for near in receipt["near_duplicates"]:
        yield from _likeness(near)
    for lost in receipt["lost_expectations"]:
        names = ", ".join(f"'{name}'" for name in lost["missing"])
        would = "would find" if receipt["dry_run"] else "finds"
        yield (
            f"lost expectation {lost['id']}: '{lost['query']}' no more {would} {names} within "
            f"{lost['within']}"
        )
    if receipt["lost_expectations"] and not receipt["dry_run"]:
        yield "`project-memory undo` takes the change back"


def _likeness(near: Data) -> Iterator[str]:
    one, twin = near["id"], near["twin"]
    state = "" if near["status"] == "active" else f", which is {near['status']}"
    yield (
        f"'{one}' says nearly what '{twin}' says ({near['score']:.2f}){state}; if it is one "
        f"lesson, `project-memory merge {one} {twin}`"
    )
    if near.get("suggests"):
        yield (
            f"its words speak of replacement; if '{twin}' no longer holds, "
            f"`project-memory link {one} {near['suggests']} {twin}`"
        )


VIEW = View(_rows, _render, _remarks)
