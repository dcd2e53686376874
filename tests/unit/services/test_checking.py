"""A requirement that no language takes for one is refused when it is written."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidDocument
from project_memory.model import Actor, Authority


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    ada = Actor("ada", Authority.USER)
    with ProjectMemory.open("inmemory://", project="demo", actor=ada, create=True) as opened:
        yield opened


def asking(requirement: str) -> list[dict[str, str]]:
    return [
        {"type": "file_exists", "path": "a.py"},
        {"type": "dependency", "requirement": requirement},
    ]


def test_what_is_no_requirement_is_refused(memory: ProjectMemory) -> None:
    message = (
        "first $.checks[1].requirement: 'two words' is no requirement; write a name and versions, "
        "such as 'requests>=2,<3' or 'react@^18' [no-requirement]"
    )
    with pytest.raises(InvalidDocument) as refused:
        memory.create(draft(id="first", checks=asking("two words")))
    assert str(refused.value) == message
    memory.create(draft(id="first"))
    with pytest.raises(InvalidDocument) as refused:
        memory.update("first", {"checks": asking("two words")})
    assert str(refused.value) == message


@pytest.mark.parametrize("requirement", ["requests>=2", "react@^18", "golang.org/x/net>=v0.17"])
def test_requirements_of_every_language_are_taken(memory: ProjectMemory, requirement: str) -> None:
    memory.create(draft(id="first", checks=asking(requirement)))
    assert memory.get("first").memory["checks"] == asking(requirement)
