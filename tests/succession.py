"""Stores in which some memories are outdated, for tests of every path that reads."""

from __future__ import annotations

from typing import Any

from factories import draft

from project_memory.app import ProjectMemory

QUESTION = "cache key collides after locale change"


def told(name: str) -> dict[str, Any]:
    return draft(id=name, description=f"the cache key collides after a locale change, take {name}")


def chain(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    """A <- B <- C: only C is current."""
    for name in ("take-a", "take-b", "take-c"):
        memory.create(told(name))
    memory.link("take-b", "supersedes", "take-a")
    memory.link("take-c", "supersedes", "take-b")
    return {"take-c"}, {"take-a", "take-b"}


def two_successors(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    for name in ("take-a", "take-b", "take-c"):
        memory.create(told(name))
    memory.link("take-b", "supersedes", "take-a")
    memory.link("take-c", "supersedes", "take-a")
    return {"take-b", "take-c"}, {"take-a"}


def archived_successor(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    """The successor left retrieval, so the old one speaks for itself again."""
    for name in ("take-a", "take-b"):
        memory.create(told(name))
    memory.link("take-b", "supersedes", "take-a")
    memory.archive("take-b")
    return {"take-a"}, set()


def wrong_successor(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    for name in ("take-a", "take-b"):
        memory.create(told(name))
    memory.link("take-b", "supersedes", "take-a")
    memory.set_status("take-b", "wrong", reason="the trace showed another cause")
    return {"take-a"}, {"take-b"}


def wrong(memory: ProjectMemory) -> tuple[set[str], set[str]]:
    memory.create(told("take-a"))
    memory.create(told("take-b"))
    memory.set_status("take-a", "wrong", reason="the trace showed another cause")
    return {"take-b"}, {"take-a"}


SCENARIOS = [chain, two_successors, archived_successor, wrong_successor, wrong]
