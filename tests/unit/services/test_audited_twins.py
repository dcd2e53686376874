"""An audit finds the twins that comparing all texts finds, by what the store keeps of each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from factories import draft, memory

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.duplicates import Profile, likeness
from project_memory.model import Actor, Authority
from project_memory.storage import open_storage

ADA = Actor("ada", Authority.USER)
WORDS = ["lake", "river", "stone", "cloud", "field", "copper", "silver", "maple", "engine", "door"]


@pytest.fixture(params=["sqlite", "inmemory", "postgres"])
def memories(request: Any, tmp_path: Path) -> Iterator[ProjectMemory]:
    if request.param == "postgres":
        url = request.getfixturevalue("postgres")()
    else:
        url = str(tmp_path / "store.db") if request.param == "sqlite" else "inmemory://"
    with ProjectMemory.open(url, project="demo", actor=ADA, create=True) as opened:
        yield opened


def text(chance: random.Random) -> str:
    return " ".join("".join(chance.sample(WORDS, 2)) for _ in range(12))


def found(memories: ProjectMemory) -> set[tuple[str, ...]]:
    report = memories.audit(codes=["near-duplicate"])
    return {tuple(sorted((f.subject, f.evidence["twin"]))) for f in report.findings}


def compared(memories: ProjectMemory) -> set[tuple[str, ...]]:
    with memories._storage.read() as reader:
        key = reader.project("demo").key
        current = [
            each
            for each in reader.memories(key)
            if not each.archived and each.document["status"] in ("active", "stale")
        ]
    told = {each.id: Profile(documents.lesson(each.document)) for each in current}
    return {
        tuple(sorted(pair))
        for pair in combinations(told, 2)
        if likeness(told[pair[0]], told[pair[1]]).are_twins
    }


def test_twins_are_those_of_the_texts_as_they_are_after_every_kind_of_change(
    memories: ProjectMemory,
) -> None:
    chance = random.Random(4)
    said = [text(chance) for _ in range(12)]
    for number in range(24):  # each second one says what another does, and a word more
        words = said[number // 2] + (" besides" if number % 2 else "")
        memories.create(draft(id=f"lesson-{number:02d}", description=words), allow_duplicate=True)
    assert len(compared(memories)) == 12
    assert found(memories) == compared(memories)

    memories.update("lesson-01", {"description": text(chance)})
    memories.update("lesson-03", {"description": f"{said[5]} also"})
    memories.update("lesson-05", {"labels": ["kind:bug"]})
    memories.archive("lesson-07")
    memories.archive("lesson-09")
    memories.unarchive("lesson-09")
    memories.rename("lesson-13", "renamed")
    memories.delete("lesson-15")
    memories.delete("lesson-17")
    memories.undo()
    memories.update("lesson-18", {"description": text(chance)})
    memories.revert("lesson-18", version=1)
    memories.set_status("lesson-21", "wrong", reason="it was another cause")
    expected = compared(memories)
    assert {("lesson-12", "renamed"), ("lesson-18", "lesson-19"), ("lesson-08", "lesson-09")} < (
        expected
    )
    assert found(memories) == expected


def test_memories_of_which_a_store_keeps_nothing_are_compared_too() -> None:
    storage = open_storage("inmemory://", create=True)
    said = "The build fails when the lock file is missing from the repository"
    with storage.write() as writer:
        project = writer.put_project("demo")
        for key, words in enumerate((said, f"{said} again", "...")):
            one = memory(key + 1, id=f"lesson-{key}", description=words, remembered_facts=[])
            writer.put_memory(project.key, one, "d")
    with ProjectMemory(storage, "demo", ADA) as memories:
        assert found(memories) == {("lesson-0", "lesson-1")}
