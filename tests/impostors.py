"""What no agent may change of that which a person asserted, whatever way it takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from project_memory.app import ProjectMemory
from project_memory.model import Authority, Memory


def words(memory: Memory) -> str:
    """Return what somebody said: neither links nor status, labels nor the day of validation."""
    left_out = {"relationships", "status", "labels"}
    said = {name: value for name, value in memory.document.items() if name not in left_out}
    evidence = {**said["evidence"], "last_validated": ""}
    return json.dumps({**said, "evidence": evidence}, sort_keys=True)


def privileges(memory: Memory | None) -> list[str]:
    """Return what only a person gives, of that which a memory has."""
    document = memory.document if memory else {"scope": {}}
    standing = ["standing"] if document.get("standing") else []
    return [*standing, *(["everywhere"] if document["scope"].get("reach") == "everywhere" else [])]


def beside(memory: Memory) -> tuple[Any, ...]:
    links = memory.document["relationships"]["superseded_by"]
    return (
        words(memory), memory.asserted_by, memory.status, memory.own_status, memory.archived,
        memory.pinned, memory.tier, links,
    )  # fmt: skip


def stored(memories: ProjectMemory) -> dict[int, Memory]:
    """Return key -> memory of all in a project."""
    with memories._storage.read() as reader:
        key = reader.project(memories.project).key
        return {memory.key: memory for memory in reader.memories(key)}


def said_by_people(memories: ProjectMemory) -> set[str]:
    """Return the words that a person is said to assert."""
    found = stored(memories).values()
    return {words(memory) for memory in found if memory.asserted_by is Authority.USER}


def check_nobody_was_impersonated(
    before: Mapping[int, Memory],
    after: Mapping[int, Memory],
    settings: Mapping[str, Any],
    said: set[str],
) -> None:
    """Compare all memories before and after an agent's deed; `said` is what people did say."""
    if settings.get("writes") == "review":
        assert after == before
    protects = settings.get("agent_edits") != "demote"
    for key, memory in before.items():
        if privileges(memory) or (protects and memory.asserted_by is Authority.USER):
            assert beside(after[key]) == beside(memory)
    for key, memory in after.items():
        if memory.asserted_by is Authority.USER:
            assert words(memory) in said
        assert set(privileges(memory)) <= set(privileges(before.get(key)))
