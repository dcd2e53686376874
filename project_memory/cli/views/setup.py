"""What was set up, and what doctor found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _init_rows(ready: Data) -> Iterator[tuple[object, ...]]:
    yield "project", ready["project"], "created" if ready["created"] else "unchanged"
    yield "store", ready["store"]


def _init_render(ready: Data, console: Console, made: str = "made") -> None:
    done = made if ready["created"] else "exists already:"
    console.print(f"{done} project {ready['project']}, {ready['labels']} labels")
    console.print(f"in {ready['store']}", style="dim", soft_wrap=True)


def _setup_rows(report: Data) -> Iterator[tuple[object, ...]]:
    yield from _init_rows(report["store"])
    for client in report["clients"]:
        yield "client", client["client"], client["change"], client["config"]
        for path, change in client["hooks"].items():
            yield "hooks", client["client"], change, path
        for name, change in client["skills"].items():
            yield "skill", name, change
    for path, change in report["git"].items():
        yield "git", path, change


def _setup_render(report: Data, console: Console) -> None:
    _init_render(report["store"], console, "would make" if report["dry_run"] else "made")
    for client in report["clients"]:
        console.print(f"{client['client']}: {client['change']} {client['config']}", soft_wrap=True)
        for path, change in client["hooks"].items():
            console.print(f"  hooks: {change} {path}", soft_wrap=True)
        for name, change in client["skills"].items():
            console.print(f"  skill {name}: {change}")
    for path, change in report["git"].items():
        console.print(f"git: {change} {path}")


def _setup_remarks(report: Data) -> Iterator[str]:
    if not report["clients"]:
        yield "no agent client was found here; name one with --client"
    yield from report["advice"]
    if report["dry_run"]:
        yield "dry run: nothing was changed"


def _connection_rows(report: Data) -> Iterator[tuple[object, ...]]:
    for each in report["clients"]:
        yield each["client"], each["change"], each["config"]


def _connection_render(report: Data, console: Console) -> None:
    for each in report["clients"]:
        console.print(f"{each['client']}: {each['change']} {each['config']}", soft_wrap=True)


def _connection_remarks(report: Data) -> Iterator[str]:
    if report["dry_run"]:
        yield "dry run: nothing was changed"


def _skill_rows(report: Data) -> Iterator[tuple[object, ...]]:
    for folder, changes in report["folders"].items():
        for name, change in changes.items():
            yield folder, name, change


def _skill_render(report: Data, console: Console) -> None:
    for folder, changes in report["folders"].items():
        console.print(folder, style="bold", soft_wrap=True)
        for name, change in changes.items():
            console.print(f"  {name}: {change}")


def _doctor_rows(report: Data) -> Iterator[tuple[object, ...]]:
    for check in report["checks"]:
        yield "ok" if check["ok"] else "found", check["name"], check["detail"]


def _doctor_render(report: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    for check in report["checks"]:
        mark = Text("ok    ", "green") if check["ok"] else Text("found ", "yellow")
        console.print(mark.append(f"{check['name']}: {check['detail']}", "default"))


INIT = View(_init_rows, _init_render)
SETUP = View(_setup_rows, _setup_render, _setup_remarks)
CONNECTIONS = View(_connection_rows, _connection_render, _connection_remarks)
SKILLS = View(_skill_rows, _skill_render)
DOCTOR = View(_doctor_rows, _doctor_render)
