"""On a repository with a history, all planted lessons are found, and few others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import draft
from repositories import Repository

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
PARTS = 80
TOUCHED = range(20)
"""Parts that the branch changes; main changes others meanwhile."""

PROSE = """
    cache retry session token queue worker index driver socket timeout schema parser encoder
    release mirror tenant ledger cursor replica shard
"""
WORDS = PROSE.split()


def part(number: int, **changed: str) -> str:
    """Return a module with names of its own, and others that every module has."""
    names = {"value": str(number), "call": f"load_part_{number}", **changed}
    lines = [
        f"    step_{place} = self.run(ValueError, JSON)  # {WORDS[place]}" for place in range(12)
    ]
    return "\n".join(
        [
            "import os, json",
            f"class PartKeeper{number}:",
            f"    LIMIT_{number}X = {names['value']}",
            *lines,
            f"    def {names['call']}(self): return self.parse_config()",
            "",
        ]
    )


@pytest.fixture
def code(tmp_path: Path) -> Repository:
    """Return a repository whose branch edits, renames and deletes, with a merge of main."""
    repository = Repository(tmp_path / "code")
    repository.root.mkdir()
    repository.git("init", "--quiet", "--initial-branch=main")
    files = {f"src/area_{n % 8}/part_{n}.py": part(n) for n in range(PARTS)}
    repository.commit("2026-01-01", files)
    repository.git("mv", "src/area_0/part_0.py", "src/area_0/renamed_0.py")
    repository.commit("2026-01-10")
    repository.git("checkout", "--quiet", "-b", "work")
    first = {f"src/area_{n % 8}/part_{n}.py": part(n, value="9") for n in range(1, 8)}
    repository.commit("2026-02-01", {**first, "src/area_0/renamed_0.py": part(0, value="9")})
    repository.git("checkout", "--quiet", "main")
    theirs = {f"src/area_{n % 8}/part_{n}.py": part(n, value="7") for n in range(30, 50)}
    repository.commit("2026-02-02", theirs)
    repository.git("checkout", "--quiet", "work")
    repository.git("merge", "--quiet", "--no-edit", "main", day="2026-02-03")
    second = {f"src/area_{n % 8}/part_{n}.py": part(n, call=f"fetch_{n}") for n in range(8, 14)}
    repository.commit("2026-02-04", second)
    for number in range(14, 17):
        place = f"src/area_{number % 8}/part_{number}.py"
        repository.git("mv", place, place.replace("part", "moved"))
    repository.commit("2026-02-05", {f"src/area_{n % 8}/part_{n}.py": None for n in (17, 18, 19)})
    return repository


def lesson(name: str, chance: random.Random, **fields: Any) -> dict[str, Any]:
    """Return a lesson in words that all share, with names that the language has."""
    words = " ".join(chance.sample(WORDS, 6))
    said = {
        "description": f"in {name} the {words} fails with ValueError",
        "remembered_facts": [f"{words}: JSON and SQLite on GitHub are in README.md, see os.path"],
        "pitfalls": [f"NEVER call parse_config or self.run in {chance.choice(WORDS)}"],
        "evidence": {"created_from_task": "a test", "last_validated": "2026-01-05"},
    }
    return draft(id=name, **{**said, **fields})


def path(number: int) -> str:
    return f"src/area_{number % 8}/part_{number}.py"


def planted(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yield lessons that the branch touches, each in one way."""
    for n in TOUCHED:
        yield lesson(f"file-{n}", chance, scope={"files": [path(n)]})
        yield (
            lesson(f"class-{n}", chance, tags=[f"PartKeeper{n}"])
            if n > 16
            else lesson(f"glob-{n}", chance, scope={"files": [f"src/*/*_{n}.*"]})
        )
    for n in range(1, 8):
        yield lesson(f"constant-{n}", chance, triggers=[f"LIMIT_{n}X is too low"])
    for n in range(8, 14):
        yield lesson(f"call-{n}", chance, solution_pattern=[f"use load_part_{n} once"])
        check = {"type": "text_present", "path": "src/**", "text": f"load_part_{n}("}
        yield lesson(f"check-{n}", chance, checks=[check])
        link = {"depends_on": [{"id": f"file-{n}"}]}
        yield lesson(f"builds-{n}", chance, relationships=link)


def decoys(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yield lessons of code that the branch leaves alone, some close by."""
    for n in range(20, PARTS):
        yield lesson(f"other-file-{n}", chance, scope={"files": [path(n)]})
        yield lesson(f"other-glob-{n}", chance, scope={"files": [f"src/*/part_{n}*"]})
        yield lesson(f"other-name-{n}", chance, tags=[f"load_part_{n}", f"PartKeeper{n}"])
        check = {"type": "text_present", "path": "src/**", "text": f"load_part_{n}("}
        yield lesson(f"other-check-{n}", chance, checks=[check])
        why = [{"id": f"file-{n % 20}", "reason": "both were met in one week"}]
        yield lesson(f"other-related-{n}", chance, relationships={"related": why})
    for n in range(200):
        yield lesson(f"prose-{n}", chance)


def test_all_planted_lessons_are_found_and_at_most_one_in_ten_more(code: Repository) -> None:
    chance = random.Random(5)
    expected = list(planted(chance))
    others = list(decoys(chance))
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True,
        clock=lambda: datetime(2026, 2, 6, tzinfo=UTC),
    ) as memory:  # fmt: skip
        operations = [{"op": "create", "memory": each} for each in (*expected, *others)]
        memory.apply([{**each, "allow_duplicate": True} for each in operations])
        found = {each.id for each in memory.affected_since("main", code.root).lessons}
    wanted = {each["id"] for each in expected}
    assert len(wanted) == 65
    assert wanted - found == set()
    assert len(found - wanted) <= len(wanted) / 10
