"""The demo's steps: each a command line that could be typed, and what it printed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from project_memory import resources
from project_memory.cli.output import write, write_json
from project_memory.cli.settings import settings
from project_memory.cli.views import explanation
from project_memory.errors import ProjectMemoryError
from project_memory.model import Actor, Authority, as_json

if TYPE_CHECKING:
    from project_memory.app import ProjectMemory

SYMPTOM = "two workers write and one fails at once with database is locked"
EXPRESSION = "area:sqlite AND kind:bug AND NOT context:testing"
BAD = {"description": "too short", "labels": ["kind:bugg"], "remembered_fact": ["a slip"]}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it shows, the command line that does it, the lines it printed."""

    title: str
    command: str
    lines: tuple[str, ...]


def run() -> None:
    """Run every step on a store that is gone afterwards, and print them."""
    from project_memory.app import ProjectMemory  # noqa: PLC0415

    actor = Actor("demo", Authority.USER)
    with (
        tempfile.TemporaryDirectory(prefix="project-memory-demo-") as folder,
        ProjectMemory.open(
            str(Path(folder) / "memory.db"), project="demo", actor=actor, create=True
        ) as memories,
    ):
        steps = list(_steps(memories))
    if settings().json:
        write_json({"steps": as_json(steps)})
        return
    for number, step in enumerate(steps, 1):
        write(_shown(number, step))
    write("\nNothing was kept. Begin in your repository with: project-memory setup\n")


def _steps(memories: ProjectMemory) -> Iterator[Step]:
    yield _import(memories)
    yield _recall(memories)
    yield _search(memories)
    yield _supersession(memories)
    yield _refusal(memories)
    yield from _undo(memories)


def _import(memories: ProjectMemory) -> Step:
    report = memories.import_path(resources.data_root() / "examples" / "store")
    counts = memories.stats()
    line = f"{report.read} lessons, {counts.labels} labels, {counts.links} links, one transaction"
    return Step("Fill a store with the example lessons", "import examples/store", (line,))


def _recall(memories: ProjectMemory) -> Step:
    found = memories.recall(query=SYMPTOM, limit=3, explain=True)
    lines: list[str] = []
    for hit in found.answers:
        lines.append(f"{hit.score:.2f}  {hit.id}")
        lines.append(f"      {hit.description}")
    lines.append(f"why {found.answers[0].id}:")
    lines += [f"  {line}" for line in explanation.lines(as_json(found.answers[0].why))]
    return Step("Find a lesson by its symptom", f'recall "{SYMPTOM}" --explain', tuple(lines))


def _search(memories: ProjectMemory) -> Step:
    page = memories.search(EXPRESSION, limit=5)
    lines = [f"{light.status.value:10}  {light.id}" for light in page.memories]
    lines.append(f"{page.total} in all")
    return Step("Select by labels, completely", f"search '{EXPRESSION}'", tuple(lines))


def _supersession(memories: ProjectMemory) -> Step:
    old = memories.search("status:superseded", limit=1).memories[0]
    reading = memories.get(old.id)
    return Step(
        "Never take an outdated lesson as current",
        f"show {old.id}",
        (reading.memory["description"], f"! {reading.banner}"),
    )


def _refusal(memories: ProjectMemory) -> Step:
    try:
        memories.create(BAD)
    except ProjectMemoryError as error:
        problems = tuple(str(error).splitlines())
        return Step("Refuse a bad document, with every problem", "add bad.json", problems)
    raise AssertionError("the bad document was taken")


def _undo(memories: ProjectMemory) -> Iterator[Step]:
    victim = memories.search("kind:bug AND status:active", limit=1).memories[0].id
    memories.delete(victim, reason="to show that it comes back")
    memories.undo()
    entries = memories.history(limit=2).revisions
    lines = [
        f"revision {e.number}  {e.operation:7} {', '.join(e.memories[:1])} by {e.actor}"
        for e in entries
    ]
    title = "Delete, think again, undo; history keeps both"
    yield Step(title, f"delete {victim}; undo", tuple(lines))
    report = memories.validate()
    verdict = f"{report.checked} checked, {len(report.problems)} problems"
    yield Step("Let CI have the last word", "validate", (verdict,))


def _shown(number: int, step: Step) -> str:
    bold, dim, plain = ("\033[1m", "\033[2m", "\033[0m") if _coloured() else ("", "", "")
    head = f"\n{bold}{number}. {step.title}{plain}\n{dim}$ project-memory {step.command}{plain}\n"
    return head + "".join(f"   {line}\n" for line in step.lines)


def _coloured() -> bool:
    import os  # noqa: PLC0415

    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
