"""Validating a store finds what only a damaged or older store holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from factories import memory

from project_memory import documents, duplicates
from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority, Label, Memory, Problem, Project
from project_memory.ports import CROWD, Storage
from project_memory.services.validate import validate_store
from project_memory.storage import open_storage

# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"
SOUND = memory(1, id="lake", description="the lake is where it was last winter")


@pytest.fixture
def storage() -> Iterator[Storage]:
    opened = open_storage("inmemory://", create=True)
    yield opened
    opened.close()


def fill(storage: Storage, *memories: Memory, digest: str | None = None) -> Project:
    with storage.write() as writer:
        project = writer.put_project("demo")
        writer.put_label(project.key, Label("kind:bug"))
        for each in memories:
            written = digest or documents.text_digest(each.document)
            imprint = duplicates.imprint(documents.lesson(each.document))
            writer.put_memory(project.key, each, written, *imprint)
    return project


def found(storage: Storage, project: Project) -> tuple[Problem, ...]:
    with storage.read() as reader:
        moment = datetime(2026, 3, 1, tzinfo=UTC)
        return validate_store(reader, project, clock=lambda: moment).problems


def test_a_sound_store_has_no_problem(storage: Storage) -> None:
    assert found(storage, fill(storage, SOUND)) == ()


def test_a_digest_that_is_not_of_the_text_is_told(storage: Storage) -> None:
    project = fill(storage, SOUND, digest="0" * 64)
    assert found(storage, project) == (
        Problem(
            "stale-digest",
            "'lake' is not found by its text, and could be created a second time",
            memory="lake",
            fix="change its text, which stores the digest anew",
            project="demo",
        ),
    )


def test_bands_that_are_not_of_the_text_are_told(storage: Storage) -> None:
    project = fill(storage, SOUND)
    with storage.write() as writer:
        writer.put_memory(project.key, SOUND, documents.text_digest(SOUND.document), [1, 2])
    assert found(storage, project) == (
        Problem(
            "stale-bands",
            "'lake' is not found by texts like its own, and could get a twin unnoticed",
            memory="lake",
            fix="change its text, which stores what it is found by anew",
            project="demo",
        ),
    )


def test_more_memories_of_one_text_than_are_looked_at_are_no_problem(storage: Storage) -> None:
    crowd = (
        memory(key, id=f"lake-{key}", description=SOUND.document["description"])
        for key in range(1, CROWD + 5)
    )
    assert found(storage, fill(storage, *crowd)) == ()


def test_a_fact_that_is_not_found_by_its_key_is_told(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    keyed = memory(1, id="lake", remembered_facts=[{"fact": "80", "key": "Depth"}])
    with closing(open_storage(str(path), create=True)) as storage:
        project = fill(storage, keyed)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM fact_values")
    with closing(open_storage(str(path), create=False)) as storage:
        assert [(p.code, p.message) for p in found(storage, project)] == [
            (
                "stale-values",
                "'lake' is not found by its fact 'depth', and whoever says otherwise would not be "
                "told",
            )
        ]


def test_more_facts_under_a_key_than_are_looked_at_are_no_problem(storage: Storage) -> None:
    crowd = (
        memory(
            key,
            id=f"lake-{key}",
            description=f"Lake number {key} is as deep as it was measured",
            remembered_facts=[{"fact": f"{key} metres", "key": "depth"}],
        )
        for key in range(1, CROWD + 5)
    )
    assert [p for p in found(storage, fill(storage, *crowd)) if p.code == "stale-values"] == []


def test_archived_memories_need_no_digest(storage: Storage) -> None:
    archived = replace(SOUND, archived_at="2026-02-01T00:00:00Z")
    assert found(storage, fill(storage, archived, digest="0" * 64)) == ()


def test_a_secret_that_an_older_version_let_in_is_told(storage: Storage) -> None:
    leaking = memory(1, id="lake", triggers=[f"export TOKEN={TOKEN}"])
    project = fill(storage, leaking)
    with storage.write() as writer:
        writer.put_label(project.key, Label("area:lake", f"log in with {TOKEN}"))
    assert [(p.code, p.memory, p.path) for p in found(storage, project)] == [
        ("secret", None, "$.labels.area:lake.description"),
        ("secret", "lake", "$.triggers[0]"),
    ]


def test_facts_are_judged_on_the_day(storage: Storage) -> None:
    fact = {"fact": "the mirror is down", "expires": "2026-02-28"}
    project = fill(storage, memory(1, id="lake", remembered_facts=[fact]))
    (expired,) = found(storage, project)
    assert (expired.code, expired.project) == ("expired-fact", "demo")


@pytest.mark.parametrize(("day", "codes"), [(28, []), (29, ["expired-fact"])])
def test_the_day_is_that_of_the_projects_clock(
    storage: Storage, day: int, codes: list[str]
) -> None:
    fact = {"fact": "the mirror is down", "expires": "2024-02-28"}
    fill(storage, memory(1, id="lake", remembered_facts=[fact]))
    ada = Actor("ada", Authority.USER)
    opened = ProjectMemory(storage, "demo", ada, lambda: datetime(2024, 2, day, tzinfo=UTC))
    assert [problem.code for problem in opened.validate().problems] == codes
