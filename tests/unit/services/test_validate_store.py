"""Validating a store finds what only a damaged or older store holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from factories import memory

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority, Label, Memory, Problem, Project
from project_memory.ports import Storage
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
            writer.put_memory(project.key, each, written)
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
