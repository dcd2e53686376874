"""Each statement waits for the server while others wait for the project: how many there are."""

from __future__ import annotations

import re

import pytest
from factories import draft, memory

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority, Uses

ADA = Actor("ada", Authority.USER)
LOGGED = "&options=-c%20log_statement%3Dall"
BEGINNING = "BEGIN ISOLATION LEVEL READ COMMITTED"


@pytest.fixture
def sent(postgres_server):
    """Return what gives the statements of the one change that an action makes."""

    def of(act):
        log = postgres_server.folder / "log"
        before = log.stat().st_size
        act()
        text = log.read_bytes()[before:].decode()
        logged = re.findall(r"\[(\d+)\] LOG: +(?:statement|execute \S+): (.+)", text)
        [who] = [by for by, sql in logged if sql.startswith(BEGINNING)]
        own = [sql for by, sql in logged if by == who]
        first = next(place for place, sql in enumerate(own) if sql.startswith(BEGINNING))
        return own[first : own.index("COMMIT", first) + 1]

    return of


def test_a_memory_with_two_links_is_created_by_few_statements(url, sent):
    with ProjectMemory.open(url + LOGGED, project="demo", actor=ADA, create=True) as memories:
        for name in ("one-memory", "two-memory"):
            told = [f"{name} has a lesson that is wholly its own"]
            memories.create(
                draft(id=name, description=f"how {name} goes wrong here", remembered_facts=told)
            )
        linked = {
            "depends_on": [
                {"id": name, "reason": "the one is met only after the other"}
                for name in ("one-memory", "two-memory")
            ]
        }
        new = draft(id="third-one", relationships=linked)
        statements = sent(lambda: memories.create(new, allow_duplicate=True))
    assert len(statements) <= 19, "\n".join(statements)


def test_the_uses_of_many_memories_are_added_by_as_few_statements_as_those_of_one(
    url, opened, sent
):
    storage = opened(url + LOGGED)
    with storage.write() as writer:
        project = writer.put_project("demo").key
        for key in range(1, 51):
            writer.put_memory(project, memory(key, id=f"memory-{key}"), "d")

    def use(count):
        with storage.write("demo") as writer:
            uses = {f"memory-{key}": Uses(surfaced=1) for key in range(1, count + 1)}
            writer.add_usage(project, "2026-01-31", uses)

    alone = sent(lambda: use(1))
    assert len(sent(lambda: use(50))) == len(alone)
    with storage.read() as reader:
        assert {uses.surfaced for uses in reader.usage(project).total.values()} == {1, 2}
