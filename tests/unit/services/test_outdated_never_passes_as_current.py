"""On every read path a superseded or wrong memory comes marked, after its successor, or never.

The MCP server's tools, resources and prompts walk the same stores in tests/adapters/mcp.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from factories import draft
from succession import QUESTION, SCENARIOS, told

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as opened:
        yield opened


def recall(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    found = memory.recall(query=QUESTION, limit=50, max_tokens=20_000)
    return {x.id for x in found.answers}, {x.id for x in found.warnings}


def recall_with_every_status(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    found = memory.recall(query=QUESTION, status_filter="all", limit=50, max_tokens=20_000)
    return {x.id for x in found.answers}, {x.id for x in found.warnings}


def recall_recent(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    found = memory.recall(order="recent", limit=50, max_tokens=20_000)
    return {x.id for x in found.answers}, {x.id for x in found.warnings}


def orientation(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    found = memory.recall(limit=50, max_tokens=20_000)
    return {x.id for x in found.answers}, {x.id for x in found.warnings}


def search(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    found = memory.search("kind:bug").memories
    return {x.id for x in found if x.banner is None}, {x.id for x in found if x.banner}


def get(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    ids = [x.id for x in memory.search("kind:bug").memories]
    readings = {name: memory.get(name) for name in ids}
    return (
        {name for name, reading in readings.items() if reading.banner is None},
        {name for name, reading in readings.items() if reading.banner},
    )


def neighborhood(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    start = memory.search("kind:bug").memories[0].id
    found = memory.neighborhood(start, depth=4).nodes
    ids = {x.id for x in memory.search("kind:bug").memories} - {x.id for x in found}
    rest = [memory.neighborhood(name).nodes[0] for name in sorted(ids)]
    nodes = [*found, *rest]
    return {x.id for x in nodes if x.banner is None}, {x.id for x in nodes if x.banner}


def related(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    ids = [x.id for x in memory.search("kind:bug").memories]
    found = [memory.recall(related_to=name, limit=50, max_tokens=20_000) for name in ids]
    # no memory is related to itself, so each is found from the others
    own = {x.id for x in memory.search("kind:bug").memories if x.banner is None}
    answers = {x.id for each in found for x in each.answers}
    return answers | own, {x.id for each in found for x in each.warnings}


def brief(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    found = memory.brief()
    return {x.id for x in (*found.standing, *found.central, *found.recent, *found.pitfalls)}, set()


def single_file(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.json"
        memory.export_file(path)
        rows = json.loads(path.read_text("utf-8"))["memories"]
    kept = [row["document"] for row in rows if row["meta"].get("archived_at") is None]
    return (
        {x["id"] for x in kept if x["status"] == "active"},
        {x["id"] for x in kept if x["status"] != "active"},
    )


PATHS = [
    recall,
    recall_with_every_status,
    recall_recent,
    orientation,
    search,
    get,
    neighborhood,
    related,
    brief,
    single_file,
]


@pytest.mark.parametrize("path", PATHS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda f: f.__name__)
def test_only_current_memories_pass_as_current(
    memory: ProjectMemory,
    scenario: Callable[[ProjectMemory], tuple[set[str], set[str]]],
    path: Callable[[ProjectMemory], tuple[set[str], set[str]]],
) -> None:
    current, outdated = scenario(memory)
    shown_as_current, marked = path(memory)
    assert shown_as_current == current
    assert marked <= outdated


@pytest.mark.parametrize("path", PATHS, ids=lambda f: f.__name__)
def test_an_import_of_the_old_text_does_not_revive_it(
    memory: ProjectMemory,
    path: Callable[[ProjectMemory], tuple[set[str], set[str]]],
    tmp_path: Path,
) -> None:
    memory.create(told("take-a"))
    memory.create(told("take-b"))
    memory.create(told("take-c"))
    memory.export_directory(tmp_path / "old")
    memory.link("take-b", "supersedes", "take-a")
    memory.set_status("take-c", "wrong", reason="the trace showed another cause")
    memory.import_path(tmp_path / "old")
    shown_as_current, marked = path(memory)
    assert shown_as_current == {"take-b"}
    assert marked <= {"take-a", "take-c"}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda f: f.__name__)
def test_exports_carry_the_shown_status(
    memory: ProjectMemory,
    scenario: Callable[[ProjectMemory], tuple[set[str], set[str]]],
    tmp_path: Path,
) -> None:
    current, _ = scenario(memory)
    memory.export_directory(tmp_path / "store")
    written = [json.loads(p.read_text("utf-8")) for p in (tmp_path / "store/memories").iterdir()]
    assert {x["id"] for x in written if x["status"] == "active"} == current


def test_the_successor_answers_for_a_superseded_memory_that_alone_matches(
    memory: ProjectMemory,
) -> None:
    memory.create(told("take-a"))
    memory.create(draft(id="take-b", description="use the new fingerprint of the request instead"))
    memory.link("take-b", "supersedes", "take-a")
    found = memory.recall(query=QUESTION)
    assert [(x.id, x.answers_for) for x in found.answers] == [("take-b", ("take-a",))]


def test_a_successor_outside_the_filter_leaves_a_warning(memory: ProjectMemory) -> None:
    memory.create(told("take-a"))
    memory.create(
        draft(id="take-b", labels=["kind:decision"], description="keys are fingerprints")
    )
    memory.link("take-b", "supersedes", "take-a")
    found = memory.recall(query=QUESTION, label_query="kind:bug")
    assert found.answers == ()
    assert [(x.id, x.superseded_by) for x in found.warnings] == [("take-a", ("take-b",))]
