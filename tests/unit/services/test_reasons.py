"""Reasons, notes and names: bounded, plain text, no secret; by the schema and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from factories import draft

from project_memory import resources
from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as opened:
        opened.create(draft(id="first"))
        yield opened


@pytest.mark.parametrize(
    "act",
    [
        lambda m, reason: m.archive("first", reason=reason),
        lambda m, reason: m.archive("first", reason=reason, dry_run=True),
        lambda m, reason: m.undo(reason=reason),
        lambda m, reason: m.record_use(["first"], note=reason),
        lambda m, reason: m.purge("first", reason=reason),
    ],
)
def test_a_reason_has_at_most_two_thousand_characters(memory: ProjectMemory, act) -> None:
    revision = memory.stats().store.revision
    with pytest.raises(InvalidInput) as caught:
        act(memory, "x" * 1_000_000)
    assert str(caught.value).endswith("xxx...' has 1000000 characters; at most 2000 are allowed")
    assert len(str(caught.value)) < 200
    with pytest.raises(InvalidInput):
        act(memory, "x" * 2_001)
    assert memory.stats().store.revision == revision


def test_the_longest_reason_is_kept(memory: ProjectMemory) -> None:
    memory.archive("first", reason="x" * 2_000)
    assert memory.history(limit=1).revisions[0].reason == "x" * 2_000


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("a\x1bb", "the reason cannot be kept: control character U+001B"),
        ("a\U000e0062", "the reason cannot be kept: invisible character U+E0062"),
    ],
)
def test_a_reason_is_plain_text(memory: ProjectMemory, reason: object, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.archive("first", reason=reason)
    assert str(caught.value) == message


def test_an_actor_has_a_name_on_one_line(memory: ProjectMemory) -> None:
    for name in ("x" * 401, "ada\nbob"):
        actor = Actor(name, Authority.USER)
        with pytest.raises(InvalidInput) as caught:
            ProjectMemory(memory._storage, "demo", actor).archive("first")
        assert str(caught.value).startswith("the actor's name cannot be kept: ")


def test_a_project_has_a_name_on_one_line() -> None:
    with pytest.raises(InvalidInput) as caught:
        ProjectMemory.open("inmemory://", project="x" * 401, actor=ADA, create=True)
    assert str(caught.value).startswith("the project's name cannot be kept: ")


@pytest.mark.parametrize(
    ("tool", "argument", "schema"),
    [
        ("undo", "reason", "reason"),
        ("record_memory_use", "note", "reason"),
        ("create_memory", "note", "note"),
    ],
)
def test_tools_name_the_bounds_of_the_schema(tool: str, argument: str, schema: str) -> None:
    rule = resources.schema(f"tools/{tool}.input")["properties"][argument]
    assert rule["maxLength"] == resources.schema(schema)["maxLength"]


def test_a_link_names_the_bound_of_its_reason() -> None:
    rule = resources.schema("tools/link_memories.input")["properties"]["reason"]
    assert rule["maxLength"] == resources.schema("parts")["$defs"]["reason"]["maxLength"]
